/** This machine alone. */
import { codes, Refusal } from './refusal.js';

/** Whether only this machine can reach a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

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

/** The answer to a request that was sent to another name, if no key is asked for. */
export const wrongHost = (): Refusal =>
  new Refusal(
    codes.invalidRequest,
    'the Host header names another machine; ask at localhost or 127.0.0.1',
    { status: 403 },
  );
