/** The short form of an account value in a snapshot (docs/snapshot.md). */
import { equalBytes } from '../../bytes.js';
import { accountWidth, type TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { codeFields } from '../apply/changes.js';
import { type BodyReader, malformed } from './bodyReader.js';
import type { BodyWriter } from './bodyWriter.js';

/** The forms of an account's code, in the low bits of its kind. */
const codes = { never: 0, takenAway: 1, present: 2 } as const;

/** Added to the kind of an account whose storage tree stands in the file. */
export const withStorage = 4;

/** All kinds are below this. */
export const kindLimit = 7;

/** Offsets of the words in a value. */
const end = { nonce: blockWidth, balance: 2 * blockWidth, codeSize: accountWidth };
const codeAt = 3 * blockWidth;
const hashesEnd = 5 * blockWidth;

/** Reads and writes values of one family. */
export class AccountForm {
  readonly #spec: TreeSpec;
  /** The last three words of an account that never had code, and of one that lost it. */
  readonly #never: Uint8Array;
  readonly #takenAway: Uint8Array;

  constructor(spec: TreeSpec) {
    this.#spec = spec;
    const { snarkCodeHash, keccakCodeHash } = codeFields(spec, new Uint8Array(0));
    this.#never = new Uint8Array(accountWidth - codeAt);
    this.#never.set(keccakCodeHash, blockWidth);
    this.#takenAway = this.#never.slice();
    this.#never.set(snarkCodeHash);
  }

  /** The kind of an account, without that of its storage. @param value 192 bytes */
  kindOf(value: Uint8Array): number {
    const words = value.subarray(codeAt);
    if (equalBytes(words, this.#never)) return codes.never;
    return equalBytes(words, this.#takenAway) ? codes.takenAway : codes.present;
  }

  write(writer: BodyWriter, value: Uint8Array): void {
    writer.integer(value.subarray(0, end.nonce));
    writer.integer(value.subarray(end.nonce, end.balance));
    if (this.kindOf(value) !== codes.present) return;
    writer.bytes(value.subarray(codeAt, hashesEnd));
    writer.integer(value.subarray(hashesEnd));
  }

  /** Reads a value into 192 bytes; the storage root is left zero. @throws TreeError `BAD_SNAPSHOT` */
  read(reader: BodyReader, kind: number, value: Uint8Array): void {
    value.fill(0);
    reader.integer(8, value, end.nonce);
    reader.integer(blockWidth, value, end.balance);
    if (!this.#spec.isBalance(value.subarray(end.nonce, end.balance))) {
      throw malformed("a balance is not below the field's order");
    }
    const code = kind % withStorage;
    if (code !== codes.present) {
      value.set(code === codes.never ? this.#never : this.#takenAway, codeAt);
      return;
    }
    value.set(reader.take(hashesEnd - codeAt), codeAt);
    if (!this.#spec.hasher.isCanonical(value.subarray(codeAt, codeAt + blockWidth))) {
      throw malformed('a hash of code is not canonical');
    }
    reader.integer(8, value, end.codeSize);
    if (this.kindOf(value) !== codes.present)
      throw malformed('an account without code has another kind');
  }
}
