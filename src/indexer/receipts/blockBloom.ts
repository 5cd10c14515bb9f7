/** The bloom of the logs of a block, which its header must have: so logs that a node left out show. */
import { decodeHex } from '../../bytes.js';
import { addBits, bitsOf, bloomWidth, covers } from '../../mpt/bloom.js';

/** Texts whose bits are remembered: a hash takes 30 times as long as to find them. */
const remembered = 65_536;

/** The bloom of one block after the other. */
export class BlockBloom {
  readonly #bloom = new Uint8Array(bloomWidth);
  readonly #bits = new Map<string, readonly number[]>();

  beginBlock(): void {
    this.#bloom.fill(0);
  }

  /**
   * Adds an address or a topic, as the node writes it.
   *
   * @returns whether it is of so many bytes in hex
   */
  add(text: string, width: number): boolean {
    const bits = this.#bits.get(text) ?? this.#remember(text, width);
    if (bits !== undefined) addBits(this.#bloom, bits);
    return bits !== undefined;
  }

  /** Whether there were logs for all that a header's bloom holds. */
  covers(bloom: Uint8Array): boolean {
    return covers(this.#bloom, bloom);
  }

  #remember(text: string, width: number): readonly number[] | undefined {
    const item = new Uint8Array(width);
    if (!decodeHex(text, width, item)) return undefined;
    if (this.#bits.size === remembered) this.#bits.clear();
    const bits = bitsOf(item);
    this.#bits.set(text, bits);
    return bits;
  }
}
