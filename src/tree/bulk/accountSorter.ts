/**
 * The accounts and slots of a first state in the order in which a block would insert them: accounts
 * by ascending hKey, the slots of each likewise (docs/protocol.md section 1).
 */
import { integerToBytes } from '../../bytes.js';
import { accountWidth, addressWidth, type TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { type CheckedChange, codeFields } from '../changes.js';
import { encodeNumber, numberWidth, readNumber } from '../layout.js';
import { RecordReader } from './records.js';
import type { Scratch } from './scratch.js';
import { Sorter } from './sorter.js';

/** Offsets in the record of an account. */
const at = {
  address: blockWidth,
  slots: blockWidth + addressWidth,
  value: blockWidth + addressWidth + numberWidth,
};
const accountRecord = at.value + accountWidth;

/** Owner's hKey, slot's hKey, value. */
const slotRecord = 3 * blockWidth;

/** An account as it is given back. Its bytes may be overwritten once the next one is taken. */
export interface SortedAccount {
  readonly hKey: Uint8Array;
  readonly address: Uint8Array;
  /** How many slots it has. */
  readonly slots: number;
  /** 192 bytes; the storage root is zero. */
  readonly value: Uint8Array;
}

/** Takes accounts in any order; all are added before the first is read. */
export class AccountSorter {
  readonly #spec: TreeSpec;
  readonly #accounts: Sorter;
  readonly #slots: Sorter;
  readonly #noCode: Uint8Array;
  /** Accounts so far. */
  accounts = 0;
  /** Their slots. */
  slots = 0;

  constructor(spec: TreeSpec, scratch: Scratch) {
    this.#spec = spec;
    this.#accounts = new Sorter(scratch, { width: accountRecord, keyWidth: blockWidth });
    this.#slots = new Sorter(scratch, { width: slotRecord, keyWidth: 2 * blockWidth });
    this.#noCode = this.#codeWords(new Uint8Array(0));
  }

  /** Adds an account; after many, {@link drain} makes room. */
  add({ hKey, address, account, slots }: CheckedChange): void {
    if (account === null) return;
    const { nonce, balance, code } = account;
    let count = 0;
    for (const slot of slots) {
      if (slot.value === null) continue;
      this.#slots.add(hKey, slot.hKey, slot.value);
      count++;
    }
    const words = code === undefined || code.length === 0 ? this.#noCode : this.#codeWords(code);
    this.#accounts.add(
      hKey,
      address,
      encodeNumber(count),
      integerToBytes(nonce, blockWidth),
      integerToBytes(balance, blockWidth),
      words,
    );
    this.accounts++;
    this.slots += count;
  }

  async drain(): Promise<void> {
    await this.#accounts.drain();
    await this.#slots.drain();
  }

  /** The accounts in order. */
  readAccounts(): RecordReader {
    return new RecordReader(this.#accounts.pages(), accountRecord);
  }

  /** The slots of all accounts, in the order of the accounts. */
  readSlots(): RecordReader {
    return new RecordReader(this.#slots.pages(), slotRecord);
  }

  /** Storage root, still zero, and what a value holds of code. */
  #codeWords(code: Uint8Array): Uint8Array {
    const { snarkCodeHash, keccakCodeHash, codeSize } = codeFields(this.#spec, code);
    const words = new Uint8Array(4 * blockWidth);
    words.set(snarkCodeHash, blockWidth);
    words.set(keccakCodeHash, 2 * blockWidth);
    words.set(integerToBytes(codeSize, blockWidth), 3 * blockWidth);
    return words;
  }
}

/** @param record of {@link AccountSorter.readAccounts} */
export const accountIn = (record: Uint8Array): SortedAccount => ({
  hKey: record.subarray(0, blockWidth),
  address: record.subarray(at.address, at.slots),
  slots: readNumber(record, at.slots),
  value: record.subarray(at.value),
});

/** @param record of {@link AccountSorter.readSlots} */
export const slotIn = (record: Uint8Array): { hKey: Uint8Array; value: Uint8Array } => ({
  hKey: record.subarray(blockWidth, 2 * blockWidth),
  value: record.subarray(2 * blockWidth),
});
