/** Applies a block to a state, in the order that docs/protocol.md section 1 gives. */
import { equalBytes } from '../../bytes.js';
import { type AccountValue, encodeAccount } from '../../codec/account.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { accountInLeaf, type StateReader } from '../history/stateReader.js';
import type { BlockBatch } from '../layout/blockBatch.js';
import { accountTree } from '../layout/layout.js';
import { hashStoredTopNode, type StoredTopNode } from '../nodes/nodes.js';
import { known, type Reading, readAll } from '../store/reading.js';
import {
  type CheckedChange,
  type CodeFields,
  codeFields,
  hashAccounts,
  hashWords,
} from './changes.js';
import { checkAccountBefore, checkSlotBefore } from './checkBefore.js';
import { locate, TreeEdit } from './treeEdit.js';

/** The `snarkCodeHash` of an account whose code was taken away. */
const takenAway = new Uint8Array(blockWidth);

/**
 * The code's fields after the block (docs/protocol.md section 2.6).
 *
 * @param before the account before the block, also if the block destroys it and creates it again
 * @param noCode the fields of an account that never had code
 */
function codeAfter(
  spec: TreeSpec,
  { account, isRecreated }: CheckedChange,
  before: AccountValue | undefined,
  noCode: CodeFields,
): CodeFields {
  const code = account?.code;
  if (code !== undefined && code.length > 0) return codeFields(spec, code);
  if (before === undefined) return noCode;
  const { snarkCodeHash, keccakCodeHash, codeSize } = before;
  const hadCode = !equalBytes(keccakCodeHash, noCode.keccakCodeHash);
  const losesCode = hadCode && (code !== undefined || isRecreated);
  if (losesCode) return { ...noCode, snarkCodeHash: takenAway };
  return { snarkCodeHash, keccakCodeHash, codeSize };
}

/**
 * Opens the storage of an account; undefined if the block writes no slot of it.
 *
 * @param tree undefined if this block creates the storage
 */
function* openStorage(
  state: StateReader,
  tree: number | undefined,
  { slots }: CheckedChange,
): Reading<TreeEdit | undefined> {
  if (slots.length === 0) return undefined;
  const keys = slots.map(({ hKey, value }) => ({ hKey, mayGo: value === null }));
  if (tree === undefined) return TreeEdit.ofEmpty(state.empty, keys);
  return yield* TreeEdit.open(state, tree, yield* locate(state, tree, keys));
}

/** Writes slots to a storage tree. */
function writeSlots(spec: TreeSpec, edit: TreeEdit, slots: CheckedChange['slots']): void {
  const hValues = hashWords(
    spec,
    slots.flatMap(({ value }) => (value ? [value] : [])),
  ).values();
  for (const [i, { value }] of slots.entries()) {
    if (value === null) edit.delete(i);
    else {
      edit.put(i);
      edit.fill(i, { hValue: hValues.next().value as Uint8Array, value });
    }
  }
}

/** The other inputs of an account's value, besides the change. */
interface AccountBasis {
  /** The account before the block, also if the block destroys it and creates it again. */
  readonly before: AccountValue | undefined;
  /** Top node of its storage, if the block writes to it. */
  readonly storage: StoredTopNode | undefined;
  /** The fields of an account that never had code. */
  readonly noCode: CodeFields;
}

/** The value of an account after the block; undefined if the account does not exist then. */
function accountValue(
  spec: TreeSpec,
  change: CheckedChange,
  { before, storage, noCode }: AccountBasis,
): Uint8Array | undefined {
  const { account, isRecreated } = change;
  if (account === null) return undefined;
  const storageRoot = isRecreated ? undefined : before?.storageRoot;
  const { nonce, balance } = account;
  const { snarkCodeHash, keccakCodeHash, codeSize } = codeAfter(spec, change, before, noCode);
  // Written out, because spread members take several times as long.
  return encodeAccount({
    nonce,
    balance,
    storageRoot: storage ? hashStoredTopNode(spec, storage) : (storageRoot ?? spec.emptyRoot),
    snarkCodeHash,
    keccakCodeHash,
    codeSize,
  });
}

/** A block within a state. All that the block needs is read first; then the block is applied. */
export class BlockEdit {
  readonly #spec: TreeSpec;
  readonly #changes: readonly CheckedChange[];
  readonly #accounts: TreeEdit;
  /** One for each change, as the lists below. */
  readonly #storages: (TreeEdit | undefined)[];
  /** The accounts before the block. */
  #before: readonly (AccountValue | undefined)[] = [];
  /** Leaf indices of the accounts after the block. */
  #indices: readonly (number | undefined)[] = [];
  readonly #dropped: number[] = [];

  private constructor(
    spec: TreeSpec,
    changes: readonly CheckedChange[],
    { accounts, storages }: { accounts: TreeEdit; storages: (TreeEdit | undefined)[] },
  ) {
    this.#spec = spec;
    this.#changes = changes;
    this.#accounts = accounts;
    this.#storages = storages;
  }

  /**
   * Reads the leaves that a block can reach in three steps: the positions of accounts; the accounts
   * and the positions of slots; the slots.
   *
   * @param state before the block
   */
  static *open(state: StateReader, changes: readonly CheckedChange[]): Reading<BlockEdit> {
    const keys = changes.map(({ hKey, account, isRecreated }) => ({
      hKey,
      mayGo: account === null || isRecreated,
    }));
    const located = yield* locate(state, accountTree, keys);
    const [accounts, storages] = yield* readAll([
      TreeEdit.open(state, accountTree, located),
      readAll(
        changes.map((change, i) =>
          openStorage(state, change.isRecreated ? undefined : located.positions[i]?.own, change),
        ),
      ),
    ]);
    return new BlockEdit(state.empty.spec, changes, { accounts, storages });
  }

  /** Inserts, deletes and changes leaves; `finish` fills those of accounts. @throws TreeError */
  write(): void {
    this.#check();
    this.#indices = this.#changes.map(({ account, isRecreated, slots }, i) => {
      const held = this.#accounts.find(i);
      if (held && (account === null || isRecreated)) {
        this.#dropped.push(held.index);
        this.#accounts.delete(i);
      }
      const storage = this.#storages[i];
      if (storage) writeSlots(this.#spec, storage, slots);
      return account === null ? undefined : this.#accounts.put(i);
    });
  }

  /** Reads the entries that the block may change, in one step. */
  *readOld(): Reading<void> {
    yield* readAll([
      this.#accounts.readOld(accountTree),
      ...this.#storages.map(
        (storage, i) => storage?.readOld(this.#indices[i] as number) ?? known(undefined),
      ),
    ]);
  }

  /**
   * Hashes the changed leaves and nodes and adds their entries to the batch. Called once.
   *
   * @returns the state root, 32 bytes
   */
  finish(blockBatch: BlockBatch): Uint8Array {
    for (const tree of this.#dropped) blockBatch.drop(tree);
    const noCode = codeFields(this.#spec, new Uint8Array(0));
    const values = this.#changes.map((change, i) => {
      const storage = this.#storages[i]?.finish(this.#indices[i] as number, blockBatch);
      // Releases the memory of this tree before the next one is hashed.
      this.#storages[i] = undefined;
      return accountValue(this.#spec, change, { before: this.#before[i], storage, noCode });
    });
    const hValues = hashAccounts(
      this.#spec,
      values.filter((value) => value !== undefined),
    ).values();
    for (const [i, value] of values.entries()) {
      if (value) this.#accounts.fill(i, { hValue: hValues.next().value as Uint8Array, value });
    }
    return hashStoredTopNode(this.#spec, this.#accounts.finish(accountTree, blockBatch));
  }

  /**
   * Compares the caller's values from before the block with the stored ones.
   *
   * @throws TreeError `STATE_MISMATCH`, `DAMAGED`
   */
  #check(): void {
    this.#before = this.#changes.map(({ address, before }, i) => {
      const held = this.#accounts.find(i);
      const account = held && accountInLeaf(this.#spec, held.leaf);
      if (before !== undefined) checkAccountBefore(address, before, account);
      return account;
    });
    for (const [i, { address, slots }] of this.#changes.entries()) {
      for (const [j, slot] of slots.entries()) {
        checkSlotBefore(address, slot, this.#storages[i]?.find(j)?.leaf);
      }
    }
  }
}
