/** Reads a body no further than it may be long. */
import { joinBytes } from '../bytes.js';

/** A body in the pieces in which it came. */
export type BodyParts = readonly Uint8Array[];

/**
 * Reads a stream to its end.
 *
 * @returns null if it is longer than `maxBytes`; the rest is not read
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<BodyParts | null> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts;
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
export async function readBody(response: Response, maxBytes: number): Promise<BodyParts | null> {
  const { body } = response;
  if (body) return readStream(body, maxBytes);
  // An empty body, or a platform whose answers cannot be read piece by piece.
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length > maxBytes ? null : [bytes];
}

/** Bytes of the longest body that is put together in memory that is used again. */
const longestReused = 4 * 2 ** 20;

let reused: Uint8Array | undefined;

/**
 * A body in one piece, until the next one is asked for. Memory of its own for each would be as many bytes again that are garbage
 * at once: some megabytes of them let an engine collect all of its garbage, which costs several times as much as to parse.
 */
function inOnePiece(parts: BodyParts): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const width = parts.reduce((sum, part) => sum + part.length, 0);
  if (width > longestReused) return joinBytes(parts);
  // Of what is never written, a system gives no memory.
  reused ??= new Uint8Array(longestReused);
  let offset = 0;
  for (const part of parts) {
    reused.set(part, offset);
    offset += part.length;
  }
  return reused.subarray(0, width);
}

/** What a body says. @throws TypeError or SyntaxError if it is no JSON in UTF-8 */
export const jsonIn = (parts: BodyParts): unknown =>
  JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(inOnePiece(parts)));
