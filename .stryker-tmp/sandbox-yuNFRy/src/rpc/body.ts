/** Reads a body no further than it may be long. */
// @ts-nocheck

import { concatBytes } from '../bytes.js';

/**
 * Reads a stream to its end.
 *
 * @returns null if it is longer than `maxBytes`; the rest is not read
 */
export async function readStream(
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
      // Do not wait for the sender to stop sending.
      reader.cancel().catch(() => {});
      return null;
    }
    parts.push(value);
  }
}

/**
 * The whole body of an answer.
 *
 * @returns null if it is longer than `maxBytes`, counted after decompression
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const { body } = response;
  if (body) return readStream(body, maxBytes);
  // An empty body, or a platform whose answers cannot be read piece by piece.
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length > maxBytes ? null : bytes;
}
