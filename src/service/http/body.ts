/** Reads a request's body no further than it may be long. */
import { joinBytes } from '../../bytes.js';
import { readStream } from '../../rpc/body.js';
import { clientGone, codes, HttpError } from './httpError.js';

export const tooLarge = (maxBytes: number) =>
  new HttpError(codes.invalidRequest, `the body is longer than ${maxBytes} bytes`, { status: 413 });

async function readBody(request: Request, maxBytes: number): Promise<string> {
  const { headers } = request;
  const length = headers.get('content-length');
  if (length === null || headers.has('transfer-encoding')) {
    const parts = request.body ? await readStream(request.body, maxBytes) : [];
    if (parts === null) throw tooLarge(maxBytes);
    return new TextDecoder().decode(joinBytes(parts));
  }
  if (!(Number(length) <= maxBytes)) throw tooLarge(maxBytes);
  // Servers hold a body to the length that was announced. Without a server, this function counts it: a text has no more
  // characters than its UTF-8 has bytes.
  const text = await request.text();
  if (text.length > maxBytes) throw tooLarge(maxBytes);
  return text;
}

/**
 * The whole body as text.
 *
 * @throws HttpError with status 413, or 499 if the client went away before the end
 */
export async function readRequestText(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readBody(request, maxBytes);
  } catch (error) {
    // Only the connection can fail here, and only the client ends it while its request comes in.
    throw error instanceof HttpError ? error : clientGone();
  }
}
