/** Kind `chain`: blocks of a real chain's changes, each with the state root that the real proof server gave. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { createVerifier, type Hex, type VerifiedState } from '../../src/index.js';
import {
  type AccountChange,
  type Block,
  openStateTree,
  type StateTree,
} from '../../src/tree/index.js';
import { fromHex, toHex } from '../support/hex.js';
import { checkCompact } from './compact.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type Json, type JsonObject } from './members.js';

const zeroWord = `0x${'00'.repeat(32)}`;

/** A number, or decimal text. */
function integerOf(value: Json | undefined, name: string): bigint {
  const isNumber = Number.isSafeInteger(value) && !Object.is(value, -0);
  if (isNumber || (typeof value === 'string' && /^\d+$/.test(value))) {
    return BigInt(value as number | string);
  }
  throw new Error(`${name}: expected a whole number or decimal text`);
}

function accountOf(json: Json | undefined): AccountChange['account'] {
  if (json === null) return null;
  const account = json as JsonObject;
  checkMembers(account, ['nonce', 'balance'], ['code'], 'account');
  return {
    nonce: integerOf(account.nonce, 'nonce'),
    balance: integerOf(account.balance, 'balance'),
    ...(account.code !== undefined && { code: account.code as Hex }),
  };
}

function changeOf(json: JsonObject): AccountChange {
  checkMembers(json, ['address', 'account'], ['recreated', 'storage'], 'change');
  const storage = json.storage as { key: Hex; value: Hex }[] | undefined;
  for (const slot of storage ?? []) checkMembers(slot, ['key', 'value'], [], 'storage');
  return {
    address: json.address as Hex,
    account: accountOf(json.account),
    ...(json.recreated !== undefined && { recreated: json.recreated as boolean }),
    ...(storage && { storage }),
  };
}

export function blockOf(json: JsonObject): Block & { stateRoot: Hex } {
  checkMembers(
    json,
    ['number', 'hash', 'changes', 'stateRoot'],
    ['note', 'cleared'],
    `block ${json.number}`,
  );
  return {
    number: json.number as number,
    hash: json.hash as Hex,
    changes: (json.changes as JsonObject[]).map(changeOf),
    stateRoot: json.stateRoot as Hex,
  };
}

/** Checks that what was proven is what the block says of the account. */
function checkChange({ account, storage = [] }: AccountChange, proven: VerifiedState): void {
  checkEqual(proven.account === null, account === null, 'account absent');
  if (account !== null) {
    checkEqual(proven.account?.nonce, account.nonce, 'nonce');
    checkEqual(proven.account?.balance, account.balance, 'balance');
    if (account.code !== undefined) {
      const code = fromHex(account.code);
      checkEqual(proven.account?.keccakCodeHash, toHex(keccak_256(code)), 'keccakCodeHash');
      checkEqual(proven.account?.codeSize, BigInt(code.length), 'codeSize');
    }
  }
  const expected = storage.map(({ key, value }) => ({ key, value, exists: value !== zeroWord }));
  checkEqual(proven.storage, expected, 'storage');
}

async function runBlock(file: VectorFile, tree: StateTree, json: JsonObject): Promise<void> {
  const { stateRoot, ...block } = blockOf(json);
  checkEqual((await tree.applyBlock(block)).stateRoot, stateRoot, 'stateRoot');
  const common = {
    stateRoot,
    hash: file.spec.hasher.family,
    ...(file.engine && { engine: file.engine }),
  };
  const verifier = createVerifier(common);
  for (const change of block.changes) {
    const { address, storage = [] } = change;
    const storageKeys = storage.map(({ key }) => key);
    const result = await tree.getProof(address, storageKeys);
    const state = verifier.verify(result, { address, storageKeys });
    checkChange(change, state);
    checkCompact(result, { ...common, address, storageKeys }, state);
  }
}

/** One case per block; each builds on those before it. */
export function chainCases(file: VectorFile): Case[] {
  const { json, spec, engine } = file;
  checkMembers(json, ['kind', 'source', 'hash', 'blocks'], ['note'], file.name);
  let opened: Promise<StateTree> | undefined;
  const open = () => {
    opened ??= openStateTree({ hash: spec.hasher.family, ...(engine && { engine }) });
    return opened;
  };
  return (json.blocks as JsonObject[]).map((block) => ({
    name: `block ${block.number}`,
    run: async () => runBlock(file, await open(), block),
  }));
}
