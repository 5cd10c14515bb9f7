/** Requests that were meant for this machine, for all that listens on loopback and asks for no key. */

/** The forms of a Host header that name this machine. */
const loopbackForm = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether the Host header of a request names this machine. A page whose own name was pointed here (DNS rebinding) sends
 * that name.
 *
 * @param host undefined if there is none; every browser sends one
 */
export const isSentToLoopback = (host: string | undefined): boolean =>
  host === undefined || loopbackForm.test(host);

/** What a request is told that was sent to another name. */
export const wrongHostText = 'the Host header names another machine; ask at localhost or 127.0.0.1';
