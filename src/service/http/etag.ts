/** Whether a client has an answer already. */

/** Whether `If-None-Match` names an answer. Weak comparison (RFC 9110): bytes of the same meaning may differ. */
export function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((text) => text.trim() === etag);
}
