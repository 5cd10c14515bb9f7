/** This machine alone. */

/** Whether only this machine can reach a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Whether the Host header of a request names this machine. A page whose own name was pointed here (DNS rebinding) sends
 * that name.
 */
export function isSentToLoopback({ headers }: Request): boolean {
  const host = headers.get('host');
  // Every browser sends the header.
  if (host === null) return true;
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const { hostname, origin } = new URL(url);
  return isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')) && new URL(url).href === `${origin}/`;
}
