/** The target of a request, as it was sent: a URL has its dot segments resolved. */

/** What stands between segments, for us or for a proxy in front: encoded, or the other way round as in URLs of the web. */
const separators = /[/\\]|%2f|%5c/i;

/** One dot or two, encoded or not. */
const dots = /^(\.|%2e){1,2}$/i;

/**
 * Whether the path of a request has a segment of one or two dots, plain or encoded. A proxy in front that lets only some
 * paths pass compares the path before the dots are resolved, so `/v3/../metrics` would get past it.
 *
 * @param target as in the first line of the request, of any form
 */
export function hasDotSegment(target: string): boolean {
  // Most have neither, and take no more than this.
  if (!target.includes('.') && !/%2e/i.test(target)) return false;
  const [path = ''] = target.split(/[?#]/, 1);
  return path.split(separators).some((segment) => dots.test(segment));
}
