/** The target of a request, as it was sent: a URL has its dot segments resolved. */

/** What stands between segments, for us or for a proxy in front: encoded, or the other way round as in URLs of the web. */
const separators = /[/\\]|%2f|%5c/i;

/** One dot or two, encoded or not. */
const dots = /^(\.|%2e){1,2}$/i;

/** What URLs of the web drop wherever it stands. */
const dropped = /[\t\n\r]/g;

/** A path, or a URL with a host: in `http:///v3/metrics` a proxy may see the path `/v3/metrics`, and a URL has the host `v3`. */
const forms = /^(\/|https?:\/\/[^/\\?#])/i;

function hasDotSegment(target: string): boolean {
  // Most have neither, and take no more than this.
  if (!target.includes('.') && !/%2e/i.test(target)) return false;
  const [path = ''] = target.split(/[?#]/, 1);
  return path.split(separators).some((segment) => dots.test(segment));
}

/** A first segment that is encoded: no client has to, and a proxy that shuts `/metrics` may let `/%6detrics` pass. */
const encodedRoute = /^(https?:\/\/[^/?#]*)?\/[^/?#]*%/i;

const namedHost = /^https?:\/\/([^/?#]*)/i;

/** The host that a target names. It goes before the Host header (RFC 9112, 3.2.2). @returns undefined if it names none */
export const hostIn = (target: string): string | undefined => namedHost.exec(target)?.[1];

/**
 * Whether a proxy in front may see another path in the target of a request than the server does. A proxy that lets only
 * some paths pass compares the path as it was sent: if it has a segment of one or two dots, plain or encoded,
 * `/v3/../metrics` would get past it. So would a URL without a host, and a
 * route that is encoded.
 *
 * @param target as in the first line of the request, of any form
 */
export function isMisleading(target: string): boolean {
  const plain = target.replace(dropped, '');
  return !forms.test(plain) || encodedRoute.test(plain) || hasDotSegment(plain);
}
