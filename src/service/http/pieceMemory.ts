/**
 * Memory for the pieces of long answers, which is used again once they are sent. New memory for each would be as much garbage
 * outside of the engine's heap: with a hundred MB of it a second, the engine collected all of its garbage five times a second,
 * and whoever asked meanwhile waited.
 */
import type { HttpBody } from './http.js';

/** Bytes of a piece: the proofs of two absent slots have some 25 kB. */
const pieceWidth = 2 ** 15;

/** Pieces that are kept: 8 MiB. */
const mostKept = 256;

export class PieceMemory {
  /** Weakly: what is never given back, for its client went away, is garbage. */
  readonly #lent = new WeakSet<ArrayBufferLike>();
  readonly #kept: ArrayBuffer[] = [];

  /** So many bytes, which hold anything. Nobody else has them until they are given back. */
  take(length: number): Uint8Array {
    if (length > pieceWidth) return new Uint8Array(length);
    const memory = this.#kept.pop() ?? new ArrayBuffer(pieceWidth);
    this.#lent.add(memory);
    return new Uint8Array(memory, 0, length);
  }

  /** Gives back what a body has of this memory, once its last byte is sent; the rest of the body is left alone. */
  giveBack(body: HttpBody): void {
    for (const piece of body) {
      if (typeof piece === 'string') continue;
      const memory = piece.buffer as ArrayBuffer;
      // Twice in the hands of others, an answer would be written into another one.
      if (this.#lent.delete(memory) && this.#kept.length < mostKept) this.#kept.push(memory);
    }
  }
}

/** Of all answers of this process. */
export const pieceMemory: PieceMemory = new PieceMemory();
