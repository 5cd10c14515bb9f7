/** Applies a block to a state, in the order that protocol section 1 gives. */
import { equalBytes } from '../bytes.js';
import { type AccountValue, encodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import {
  type CheckedChange,
  type CodeFields,
  codeFields,
  hashAccounts,
  hashWords,
} from './changes.js';
import { checkAccountBefore, checkSlotBefore } from './checkBefore.js';
import { locate, TreeEdit } from './edit.js';
import type { EntryChange, StateChange } from './history.js';
import { accountTree } from './layout.js';
import { rootOf, type TopNode } from './nodes.js';
import { known, type Reading, readAll } from './reading.js';
import { accountOf, type StateReader } from './stateReader.js';

/** What an account whose code was taken away has in the place of its code's hash. */
const takenAway = new Uint8Array(blockWidth);

/**
 * The code's fields after the block (protocol section 2, "Code that is taken away").
 *
 * @param before the account before the block, also if the block destroys it and creates it again
 * @param noCode the fields of an account that never had code
 */
function codeOf(
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
 * The edit of an account's storage, and the number of its tree; a tree that begins with this block
 * has none yet.
 */
interface StorageEdit {
  readonly edit: TreeEdit;
  readonly tree: number | undefined;
}

/**
 * Opens the storage of an account; undefined if the block writes no slot of it.
 *
 * @param tree undefined: it begins here
 */
function* openStorage(
  state: StateReader,
  tree: number | undefined,
  { slots }: CheckedChange,
): Reading<StorageEdit | undefined> {
  if (slots.length === 0) return undefined;
  const keys = slots.map(({ hKey, value }) => ({ hKey, mayGo: value === null }));
  if (tree === undefined) return { edit: TreeEdit.ofEmpty(state.empty, keys), tree };
  return { edit: yield* TreeEdit.open(state, tree, yield* locate(state, tree, keys)), tree };
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

/** What an account's value follows from, besides the change. */
interface AccountBasis {
  /** The account before the block, also if the block destroys it and creates it again. */
  readonly before: AccountValue | undefined;
  /** Top node of its storage, if the block writes to it. */
  readonly storage: TopNode | undefined;
  /** The fields of an account that never had code. */
  readonly noCode: CodeFields;
}

/** The value of an account after the block; undefined if there is none. */
function accountValue(
  spec: TreeSpec,
  change: CheckedChange,
  { before, storage, noCode }: AccountBasis,
): Uint8Array | undefined {
  const { account, isRecreated } = change;
  if (account === null) return undefined;
  const storageRoot = isRecreated ? undefined : before?.storageRoot;
  return encodeAccount({
    ...account,
    storageRoot: storage ? rootOf(spec, storage) : (storageRoot ?? spec.emptyRoot),
    ...codeOf(spec, change, before, noCode),
  });
}

/** What a block reads of a state before it writes. */
interface Opened {
  readonly accounts: TreeEdit;
  /** One for each change. */
  readonly storages: readonly (StorageEdit | undefined)[];
}

/**
 * Reads the leaves that a block can reach: where accounts stand, then those and where slots stand,
 * then the slots.
 */
function* openTrees(state: StateReader, changes: readonly CheckedChange[]): Reading<Opened> {
  const keys = changes.map(({ hKey, account, isRecreated }) => ({
    hKey,
    mayGo: account === null || isRecreated,
  }));
  const located = yield* locate(state, accountTree, keys);
  const [accounts, storages] = yield* readAll([
    TreeEdit.open(state, accountTree, located),
    readAll(
      changes.map((change, i) =>
        openStorage(state, change.isRecreated ? undefined : located.places[i]?.own, change),
      ),
    ),
  ]);
  return { accounts, storages };
}

/**
 * Works out what a block makes of the state.
 *
 * @param state the state before the block, as it is now
 */
export function* applyChanges(
  state: StateReader,
  changes: readonly CheckedChange[],
): Reading<StateChange> {
  const { spec } = state.empty;
  const { accounts, storages } = yield* openTrees(state, changes);
  const before = changes.map((change, i) => {
    const held = accounts.find(i);
    const account = held && accountOf(spec, held.leaf);
    if (change.before !== undefined) checkAccountBefore(change.address, change.before, account);
    return account;
  });
  for (const [i, { address, slots }] of changes.entries()) {
    for (const [j, slot] of slots.entries()) {
      checkSlotBefore(address, slot, storages[i]?.edit.find(j)?.leaf);
    }
  }
  const dropped: number[] = [];
  const indices = changes.map(({ account, isRecreated, slots }, i) => {
    const held = accounts.find(i);
    if (held && (account === null || isRecreated)) {
      dropped.push(held.index);
      accounts.delete(i);
    }
    const storage = storages[i];
    if (storage) writeSlots(spec, storage.edit, slots);
    return account === null ? undefined : accounts.put(i);
  });
  yield* readAll([
    accounts.readOld(accountTree),
    ...storages.map((storage) =>
      storage?.tree === undefined ? known(undefined) : storage.edit.readOld(storage.tree),
    ),
  ]);

  const entries: EntryChange[] = [];
  const noCode = codeFields(spec, new Uint8Array(0));
  const values = changes.map((change, i) => {
    const storage = storages[i]?.edit.finish(indices[i] as number);
    for (const entry of storage?.entries ?? []) entries.push(entry);
    return accountValue(spec, change, { before: before[i], storage: storage?.topNode, noCode });
  });
  const hValues = hashAccounts(
    spec,
    values.filter((value) => value !== undefined),
  ).values();
  for (const [i, value] of values.entries()) {
    if (value) accounts.fill(i, { hValue: hValues.next().value as Uint8Array, value });
  }
  const edited = accounts.finish(accountTree);
  for (const entry of edited.entries) entries.push(entry);
  return { entries, dropped, stateRoot: rootOf(spec, edited.topNode) };
}
