/** The outer form of a snapshot (docs/snapshot.md): chunks of 1 MiB, each with a checksum behind it. */
import { isBytes } from '../../bytes.js';
import { crc32 } from '../store/crc32.js';
import { TreeError } from '../store/errors.js';

/** Bytes of a chunk's content; the last chunk may be shorter, but not empty. */
export const chunkWidth: number = 1 << 20;

const checksumWidth = 4;

/** Checksum of a chunk: of its number too, so that chunks cannot change places. */
function checksumOf(number: number, content: Uint8Array): number {
  const ahead = new DataView(new ArrayBuffer(8));
  ahead.setBigUint64(0, BigInt(number));
  return crc32(content, crc32(new Uint8Array(ahead.buffer)));
}

/** Cuts content into chunks. */
export class ChunkWriter {
  #chunk = new Uint8Array(chunkWidth + checksumWidth);
  #length = 0;
  #number = 0;
  #whole: Uint8Array[] = [];

  add(content: Uint8Array): void {
    let from = 0;
    while (from < content.length) {
      const some = content.subarray(from, from + chunkWidth - this.#length);
      this.#chunk.set(some, this.#length);
      this.#length += some.length;
      from += some.length;
      if (this.#length === chunkWidth) this.#close();
    }
  }

  /** Takes out the chunks that are whole. */
  take(): Uint8Array[] {
    const whole = this.#whole;
    this.#whole = [];
    return whole;
  }

  /** Takes out the last chunk: nothing may be added any more. */
  end(): Uint8Array[] {
    if (this.#length > 0) this.#close();
    return this.take();
  }

  #close(): void {
    const chunk = this.#chunk.subarray(0, this.#length + checksumWidth);
    const checksum = checksumOf(this.#number, chunk.subarray(0, this.#length));
    new DataView(chunk.buffer).setUint32(this.#length, checksum);
    this.#whole.push(chunk);
    this.#chunk = new Uint8Array(chunkWidth + checksumWidth);
    this.#length = 0;
    this.#number++;
  }
}

/** The content of a chunk with its checksum. @throws TreeError `BAD_SNAPSHOT` */
function checkedContent(number: number, chunk: Uint8Array): Uint8Array {
  const end = chunk.length - checksumWidth;
  if (end < 1) {
    throw new TreeError('BAD_SNAPSHOT', `the file was cut in chunk ${number}; get it again`);
  }
  const content = chunk.subarray(0, end);
  const checksum = new DataView(chunk.buffer, chunk.byteOffset).getUint32(end);
  if (checksumOf(number, content) !== checksum) {
    const text = `chunk ${number} of the file was cut or changed: its checksum differs; get the file again`;
    throw new TreeError('BAD_SNAPSHOT', text);
  }
  return content;
}

/**
 * Reads the contents of chunks, however the file's bytes come in. A content is overwritten once the
 * next one is asked for.
 *
 * @throws TreeError `BAD_SNAPSHOT`
 */
export async function* readSnapshotChunks(
  file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(chunkWidth + checksumWidth);
  let length = 0;
  let number = 0;
  for await (const bytes of file) {
    if (!isBytes(bytes)) throw new TypeError('"file" expected chunks of bytes');
    let from = 0;
    while (from < bytes.length) {
      const some = bytes.subarray(from, from + chunk.length - length);
      chunk.set(some, length);
      length += some.length;
      from += some.length;
      if (length < chunk.length) continue;
      yield checkedContent(number, chunk);
      number++;
      length = 0;
    }
  }
  if (length > 0) yield checkedContent(number, chunk.subarray(0, length));
}
