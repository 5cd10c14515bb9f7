/** Reads an answer's body no further than it may be long. */
import { concatBytes } from '../bytes.js';

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatBytes(...parts);
    length += value.length;
    if (length > maxBytes) {
      // What is left unread is the server's to stop sending; whether it does is nothing to wait for.
      reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
}

/**
 * The whole body.
 *
 * @returns null where it is longer than `maxBytes`, counted after decompression
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const { body } = response;
  if (body) return readStream(body, maxBytes);
  // An empty body, or a platform whose answers cannot be read piece by piece.
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length > maxBytes ? null : bytes;
}
