/**
 * The accounts and slots of a first state in the order in which a block would insert them: accounts
 * by ascending hKey, the slots of each likewise (docs/protocol.md section 1).
 */
import { addressWidth, concatBytes, integerToBytes, writeInteger } from '../../bytes.js';
import { accountWidth, type TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { type CheckedChange, codeFields } from '../apply/changes.js';
import { numberWidth, readNumber, writeNumber } from '../store/numbers.js';
import type { Scratch } from '../store/scratch.js';
import { RecordReader } from './records.js';
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
    let count = 0;
    for (const slot of slots) {
      if (slot.value === null) continue;
      this.#addSlot(hKey, slot.hKey, slot.value);
      count++;
    }
    this.accounts++;
    this.slots += count;
    const { nonce, balance, code } = account;
    const start = this.#accounts.reserve();
    const { bytes } = this.#accounts;
    bytes.set(hKey, start);
    bytes.set(address, start + at.address);
    writeNumber(bytes, start + at.slots, count);
    writeInteger(nonce, bytes, start + at.value + blockWidth);
    writeInteger(balance, bytes, start + at.value + 2 * blockWidth);
    const words = code === undefined || code.length === 0 ? this.#noCode : this.#codeWords(code);
    bytes.set(words, start + accountRecord - words.length);
  }

  #addSlot(owner: Uint8Array, hKey: Uint8Array, value: Uint8Array): void {
    const start = this.#slots.reserve();
    const { bytes } = this.#slots;
    bytes.set(owner, start);
    bytes.set(hKey, start + blockWidth);
    bytes.set(value, start + 2 * blockWidth);
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

  /** The code's part of an account value: its last three words. */
  #codeWords(code: Uint8Array): Uint8Array {
    const { snarkCodeHash, keccakCodeHash, codeSize } = codeFields(this.#spec, code);
    return concatBytes(snarkCodeHash, keccakCodeHash, integerToBytes(codeSize, blockWidth));
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
