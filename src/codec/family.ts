/** The choices of a hash family for its trees, to the byte (docs/protocol.md section 2). */
import type { PathWidths } from '../hash/family.js';
import type { IntegerCodec } from './word.js';

/** The encoding in which the path verifier of a family on L1 takes its arguments. */
interface FamilyContract {
  /** Bytes of a field element, and the modulus that it must be below. */
  readonly element: { readonly width: number; readonly modulus: bigint };
  /** Whether integers in leaf openings and top nodes are limbs. */
  readonly limbs: boolean;
  /** Where in an account value the words begin that are hashed as elements; they end with `snarkCodeHash`. */
  readonly elementsFrom: number;
  /** Signature of the hash of whole blocks. */
  readonly hash: string;
  /** The call that gives an account's hKey. @param address 20 bytes */
  accountKey(address: Uint8Array): { readonly signature: string; readonly argument: Uint8Array };
}

/** How values of one kind are hashed: as whole blocks. */
export interface ValueBlocks {
  /** Bytes of the blocks. */
  readonly width: number;
  /** Writes the blocks of a value into zeros at an offset. */
  write(value: Uint8Array, out: Uint8Array, at: number): void;
}

/** The blocks of one value. */
export const blocksOf =
  ({ width, write }: ValueBlocks) =>
  (value: Uint8Array): Uint8Array => {
    const blocks = new Uint8Array(width);
    write(value, blocks, 0);
    return blocks;
  };

/** Widths, encodings and fixed values of one family's trees. Members named `...Blocks` give the bytes to hash. */
export interface FamilySpec {
  readonly widths: PathWidths;
  readonly integer: IntegerCodec;
  /** hKey of the tail, the largest value of the hash's range. */
  readonly tailHKey: Uint8Array;
  /** What names the family in a snapshot. */
  readonly fileNumber: number;
  /** Root of a tree that holds head and tail only. */
  readonly emptyRoot: Uint8Array;
  /** Whether a 32-byte word is canonical as a balance, in the form in which the family hashes it. */
  isBalance(word: Uint8Array): boolean;
  /** Bytes that an account's hKey is the hash of. @param address 20 bytes */
  addressBlocks(address: Uint8Array): Uint8Array;
  /** The same for many slots. */
  readonly word: ValueBlocks;
  /** The same for many accounts. */
  readonly account: ValueBlocks;
  /** Bytes that a slot's hKey or hValue is the hash of. @param word 32 bytes */
  wordBlocks(word: Uint8Array): Uint8Array;
  /** Bytes that an account's hValue is the hash of. @param value 192 bytes, in the order of {@link AccountValue} */
  accountBlocks(value: Uint8Array): Uint8Array;
  /** One block of contract code. @param chunk 1 to 16 bytes; only the last one is shorter than 16 */
  codeBlock(chunk: Uint8Array): Uint8Array;
  /** The path verifier on L1, as far as it is not the same in every family. */
  readonly contract: FamilyContract;
}
