/** Documents that stand in their own URL (RFC 2397). */
import { DocumentError } from './errors.js';
import { maxDocumentBytes } from './hop.js';

const form = /^data:([^,]{0,200}),/is;

export const isDataUrl = (url: string): boolean => /^data:/i.test(url);

/** The bytes of a `data:` URL. @throws DocumentError */
export function readDataUrl(url: string): Uint8Array {
  const [before, meta = ''] = form.exec(url) ?? [];
  // Three characters for each byte: all of them escaped.
  if (before === undefined || url.length > 3 * maxDocumentBytes) {
    throw new DocumentError('a data: URL that cannot be read');
  }
  const text = url.slice(before.length);
  try {
    // Many contracts write JSON into the URL without escaping its percent signs.
    const plain = text.includes('%') && canUnescape(text) ? decodeURIComponent(text) : text;
    const bytes = /;\s*base64\s*$/i.test(meta)
      ? Uint8Array.from(atob(plain), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(plain);
    if (bytes.length <= maxDocumentBytes) return bytes;
  } catch (cause) {
    throw new DocumentError('no base64', { cause });
  }
  throw new DocumentError('the document is too long');
}

function canUnescape(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
