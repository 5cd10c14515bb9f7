/** Applies a block to a state, in the order that protocol section 1 gives. */
import { type AccountValue, encodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
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

/** The code's fields: of the code given, else as before, else of none. */
function codeOf(
  spec: TreeSpec,
  code: Uint8Array | undefined,
  before: AccountValue | undefined,
  ofNone: CodeFields,
): CodeFields {
  if (code !== undefined) return codeFields(spec, code);
  if (before === undefined) return ofNone;
  const { snarkCodeHash, keccakCodeHash, codeSize } = before;
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
  /** The account that a change goes on with: none where it is created, be it again. */
  const priorOf = (i: number) => (changes[i]?.isRecreated ? undefined : accounts.find(i));

  const storages = await readEach([...changes.entries()], async ([i, change]) =>
    change.slots.length > 0 ? writeSlots(state, priorOf(i)?.index, change) : undefined,
  );
  const ofNoCode = codeFields(spec.tree, new Uint8Array(0));
  const values = changes.map(({ account }, i) => {
    if (account === null) return undefined;
    const prior = priorOf(i);
    const before = prior && accountOf(spec.tree, prior.leaf);
    const storage = storages[i];
    return encodeAccount({
      ...account,
      storageRoot: storage
        ? hash(topNodeOf(spec.tree, storage.top))
        : (before?.storageRoot ?? spec.tree.emptyRoot),
      ...codeOf(spec.tree, account.code, before, ofNoCode),
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
