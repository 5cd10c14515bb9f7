/** The key that a request to a route carries. */

/** Headers that a key may come in by itself; the second is the old name of the first. */
const bareKeyHeaders = ['x-goldrush-api-key', 'x-covalent-api-key'];

/** All headers that a key may come in. */
export const keyHeaders = ['authorization', ...bareKeyHeaders];

/** `key:` in base64, as the user of HTTP Basic authentication; the password counts for nothing. */
function userOf(credentials: string): string {
  try {
    return atob(credentials).split(':', 1)[0] as string;
  } catch {
    return '';
  }
}

/** The key that a request names; empty if none. */
export function findKey({ headers }: Request): string {
  for (const name of bareKeyHeaders) {
    const key = headers.get(name);
    if (key !== null) return key;
  }
  const [scheme = '', credentials = ''] = (headers.get('authorization') ?? '').split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return credentials;
  return scheme.toLowerCase() === 'basic' ? userOf(credentials) : '';
}
