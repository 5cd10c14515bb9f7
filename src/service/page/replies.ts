/** Files as they are sent: their headers and their gzip are made once. */
import { promisify } from 'node:util';
import { gzip as compress } from 'node:zlib';
import { isKnown } from '../http/etag.js';

/** A file, ready to be sent. */
export interface SentFile {
  /** `W/"..."`: a client that has it may have it in another encoding. */
  readonly etag: string;
  /** Headers of every answer, 304 included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Undefined if it would not be shorter. */
  readonly gzipped: Uint8Array | undefined;
}

/** End of a name -> media type. A file of another end is bytes, which no browser runs. */
const types: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['wasm', 'application/wasm'],
  ['png', 'image/png'],
  ['woff2', 'font/woff2'],
]);

const typeOf = (name: string): string =>
  types.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';

/** Their names have a hash of what is in them: another file has another name. */
const lasting = 'public, max-age=31536000, immutable';

const gzip = promisify(compress);

/** @param headers of every answer, whatever the file */
export async function toSentFile(
  { name, bytes, hash }: { name: string; bytes: Uint8Array; hash: string },
  headers: Readonly<Record<string, string>>,
): Promise<SentFile> {
  const etag = `W/"${hash}"`;
  const zipped = await gzip(bytes, { level: 9 });
  const cache = name.startsWith('assets/') ? lasting : 'no-cache';
  return {
    etag,
    headers: { ...headers, etag, 'cache-control': cache, vary: 'accept-encoding' },
    type: typeOf(name),
    bytes,
    gzipped: zipped.length < bytes.length ? zipped : undefined,
  };
}

/** Whether a client takes gzip. One that weighs it with 0 does not (RFC 9110, 12.5.3). */
function takesGzip(header: string | null): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding = '', weight = ''] = part.toLowerCase().split(';');
    return coding.trim() === 'gzip' && !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight);
  });
}

/** The answer to a request for a file. */
export function toFileResponse(
  { etag, headers, type, bytes, gzipped }: SentFile,
  request: Request,
): Response {
  const { method, headers: asked } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    const error = 'expected GET';
    return Response.json({ error }, { status: 405, headers: { allow: 'GET, HEAD' } });
  }
  if (isKnown(asked.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const isZipped = gzipped !== undefined && takesGzip(asked.get('accept-encoding'));
  const body = isZipped ? gzipped : bytes;
  const own = { ...headers, 'content-type': type, 'content-length': String(body.length) };
  return new Response(body as BodyInit, {
    headers: isZipped ? { ...own, 'content-encoding': 'gzip' } : own,
  });
}
