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
import { type Edited, TreeEdit } from './edit.js';
import type { EntryChange, StateChange } from './history.js';
import { accountTree } from './layout.js';
import { topNodeOf } from './nodes.js';
import { checkAccountBefore, checkSlotBefore } from './prior.js';
import { accountOf, type StateReader } from './state.js';
import { readEach } from './together.js';

/** What an account whose code was taken away has in the place of its code's hash. */
const takenAway = new Uint8Array(blockWidth);

/**
 * The code's fields after the block (protocol section 2, "Code that is taken away").
 *
 * @param before the account before the block, also if the block destroys it and creates it again
 * @param ofNone the fields of an account that never had code
 */
function codeOf(
  spec: TreeSpec,
  { account, isRecreated }: CheckedChange,
  before: AccountValue | undefined,
  ofNone: CodeFields,
): CodeFields {
  const code = account?.code;
  if (code !== undefined && code.length > 0) return codeFields(spec, code);
  if (before === undefined) return ofNone;
  const { snarkCodeHash, keccakCodeHash, codeSize } = before;
  const hadCode = !equalBytes(keccakCodeHash, ofNone.keccakCodeHash);
  const losesCode = hadCode && (code !== undefined || isRecreated);
  if (losesCode) return { ...ofNone, snarkCodeHash: takenAway };
  return { snarkCodeHash, keccakCodeHash, codeSize };
}

/** Writes slots to a storage tree. @param tree undefined where the account's storage begins with this block */
async function writeSlots(
  state: StateReader,
  tree: number | undefined,
  { address, slots }: CheckedChange,
): Promise<Edited> {
  const { tree: spec } = state.spec;
  const keys = slots.map(({ hKey, value }) => ({ hKey, mayGo: value === null }));
  const edit =
    tree === undefined
      ? TreeEdit.ofEmpty(state.spec, keys)
      : await TreeEdit.open(state, tree, keys);
  for (const [i, slot] of slots.entries()) checkSlotBefore(address, slot, edit.find(i)?.leaf);
  const hValues = hashWords(
    spec,
    slots.flatMap(({ value }) => (value ? [value] : [])),
  ).values();
  for (const [i, { value }] of slots.entries()) {
    if (value === null) edit.delete(i);
    else edit.put(i, { hValue: hValues.next().value as Uint8Array, value });
  }
  return edit.finish();
}

/** Works out what a block makes of the state. @param state the state before the block, as it is now */
export async function applyChanges(
  state: StateReader,
  changes: readonly CheckedChange[],
): Promise<StateChange> {
  const { spec } = state;
  const { hash } = spec.tree.hasher;
  const accounts = await TreeEdit.open(
    state,
    accountTree,
    changes.map(({ hKey, account, isRecreated }) => ({
      hKey,
      mayGo: account === null || isRecreated,
    })),
  );
  for (const [i, { address, before }] of changes.entries()) {
    if (before === undefined) continue;
    const held = accounts.find(i);
    checkAccountBefore(address, before, held && accountOf(spec.tree, held.leaf));
  }
  const storages = await readEach([...changes.entries()], async ([i, change]) => {
    const tree = change.isRecreated ? undefined : accounts.find(i)?.index;
    return change.slots.length > 0 ? writeSlots(state, tree, change) : undefined;
  });
  const ofNoCode = codeFields(spec.tree, new Uint8Array(0));
  const values = changes.map((change, i) => {
    const { account, isRecreated } = change;
    if (account === null) return undefined;
    const old = accounts.find(i);
    const before = old && accountOf(spec.tree, old.leaf);
    const storage = storages[i];
    const storageRoot = isRecreated ? undefined : before?.storageRoot;
    return encodeAccount({
      ...account,
      storageRoot: storage
        ? hash(topNodeOf(spec.tree, storage.top))
        : (storageRoot ?? spec.tree.emptyRoot),
      ...codeOf(spec.tree, change, before, ofNoCode),
    });
  });
  const hValues = hashAccounts(
    spec.tree,
    values.filter((value) => value !== undefined),
  ).values();

  const entries: EntryChange[] = [];
  const dropped: number[] = [];
  for (const [i, { account, isRecreated }] of changes.entries()) {
    const old = accounts.find(i);
    if (old && (account === null || isRecreated)) {
      dropped.push(old.index);
      accounts.delete(i);
    }
    const value = values[i];
    if (value === undefined) continue;
    const index = accounts.put(i, { hValue: hValues.next().value as Uint8Array, value });
    for (const entry of storages[i]?.entriesOf(index) ?? []) entries.push(entry);
  }
  const { top, entriesOf } = await accounts.finish();
  for (const entry of entriesOf(accountTree)) entries.push(entry);
  return { entries, dropped, stateRoot: hash(topNodeOf(spec.tree, top)) };
}
