/**
 * The Merkle-Patricia root of an allocation that need not fit memory: accounts and slots are sorted
 * by the hashes of their keys in temporary files, then go through a trie once.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex, writeInteger } from '../../bytes.js';
import { hexToBytes } from '../../foreign/argument.js';
import { emptyTrieRoot, encodeInteger } from '../../mpt/encode.js';
import { TrieBuilder } from '../../mpt/root.js';
import { encodeStateAccount } from '../../mpt/state.js';
import type { AccountChange, BulkWork, Scratch } from '../../tree/index.js';
import { RecordReader } from '../../tree/load/records.js';
import { Sorter } from '../../tree/load/sorter.js';
import { leavesPerTurn, Stage } from '../../tree/load/work.js';

/** Offsets in the record of an account, behind the hash of its address. */
const at = { nonce: 32, balance: 40, codeHash: 72, slots: 104, address: 108 };
const accountRecord = at.address + 20;

/** Hash of the owner's address, hash of the key, value. */
const slotRecord = 96;

const noCodeHash = keccak_256(new Uint8Array(0));

/** Takes accounts in any order; all are added before the root is asked for. */
export class GenesisTrie {
  readonly #accounts: Sorter;
  readonly #slots: Sorter;
  #count = 0;
  #slotCount = 0;

  constructor(scratch: Scratch) {
    this.#accounts = new Sorter(scratch, { width: accountRecord, keyWidth: 32 });
    this.#slots = new Sorter(scratch, { width: slotRecord, keyWidth: 64 });
  }

  /** @param changes accounts that exist; no slot is zero */
  async add(changes: readonly AccountChange[]): Promise<void> {
    for (const [i, { address, account, storage = [] }] of changes.entries()) {
      const { nonce = 0, balance = 0, code = '0x' } = account ?? {};
      const owner = keccak_256(hexToBytes(address));
      const start = this.#accounts.reserve();
      const { bytes } = this.#accounts;
      bytes.set(owner, start);
      writeInteger(BigInt(nonce), bytes, start + at.balance);
      writeInteger(BigInt(balance), bytes, start + at.codeHash);
      bytes.set(code === '0x' ? noCodeHash : keccak_256(hexToBytes(code)), start + at.codeHash);
      writeInteger(BigInt(storage.length), bytes, start + at.address);
      bytes.set(hexToBytes(address), start + at.address);
      this.#count++;
      for (const slot of storage) this.#addSlot(owner, slot);
      if (i % leavesPerTurn === 0) await this.#drain();
    }
    await this.#drain();
  }

  /** Called once. @throws RangeError if an account was added twice; the signal's reason */
  async root(work: BulkWork = {}): Promise<Hex> {
    const stage = new Stage(work, 'build', this.#count + this.#slotCount);
    const accounts = new RecordReader(this.#accounts.pages(), accountRecord);
    const slots = new RecordReader(this.#slots.pages(), slotRecord);
    const trie = new TrieBuilder();
    let done = 0;
    const step = async () => {
      done++;
      if (done % leavesPerTurn === 0) await stage.turn(done);
    };
    await stage.turn(0);
    while (accounts.isReady || (await accounts.fill())) {
      const record = accounts.take();
      /** A key stands twice only if the account does: no account has a slot twice. */
      const addTo = (some: TrieBuilder, key: Uint8Array, value: Uint8Array) => {
        try {
          some.add(key, value);
        } catch (cause) {
          const address = encodeHex(record.subarray(at.address));
          throw new RangeError(`the allocation names ${address} twice`, { cause });
        }
      };
      const count = Number(encodeHex(record.subarray(at.slots, at.address)));
      const storage = new TrieBuilder();
      for (let i = 0; i < count; i++) {
        if (!slots.isReady) await slots.fill();
        const slot = slots.take();
        addTo(storage, slot.subarray(32, 64), encodeInteger(slot.subarray(64)));
        await step();
      }
      const value = encodeStateAccount({
        nonce: record.subarray(at.nonce, at.balance),
        balance: record.subarray(at.balance, at.codeHash),
        storageRoot: count === 0 ? emptyTrieRoot : storage.root(),
        codeHash: record.subarray(at.codeHash, at.slots),
      });
      addTo(trie, record.subarray(0, 32), value);
      await step();
    }
    return encodeHex(trie.root());
  }

  #addSlot(owner: Uint8Array, { key, value }: { key: Hex; value: Hex }): void {
    const start = this.#slots.reserve();
    const { bytes } = this.#slots;
    bytes.set(owner, start);
    bytes.set(keccak_256(hexToBytes(key)), start + 32);
    bytes.set(hexToBytes(value), start + 64);
    this.#slotCount++;
  }

  async #drain(): Promise<void> {
    await this.#accounts.drain();
    await this.#slots.drain();
  }
}
