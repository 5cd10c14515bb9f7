/** The vector files of the forged set: an honest answer a family, and the forgeries as edits of it. */
// @ts-nocheck

import type { HashFamily } from '../../src/index.js';
import { type Digits, hashWord } from '../support/reference.js';
import { askedSlots, forgeries } from './cases.js';
import { address, slotKey, World } from './world.js';

const source = 'synthetic, made by test/forged with the reference hashes of test/support';
const longName = { mimc: 'mimc-bls12-377', poseidon2: 'poseidon2-koalabear' };
const hex = (text: Digits) => `0x${text}`;

function honestFile(family: HashFamily): object {
  const world = new World(family);
  const words = world.words('alice');
  const leafIndex = world.accounts.indexOf(world.accountHash('alice')) as bigint;
  const leaf = world.accounts.leaf(leafIndex);
  const storage = askedSlots.map((name) => {
    const hKey = world.slotHash(name);
    const common = {
      key: hex(slotKey(name)),
      hKey: hex(hKey),
      nextFreeNode: Number(world.storage.nextFreeNode),
    };
    const index = world.storage.indexOf(hKey);
    if (index === undefined) {
      const [left, right] = world.storage.neighbours(hKey).map(Number);
      return { ...common, status: 'absent', leftLeafIndex: left, rightLeafIndex: right };
    }
    const { value } = world.storage.leaf(index);
    const hVal = hex(hashWord(family, value));
    return { ...common, status: 'present', value: hex(value), hVal, leafIndex: Number(index) };
  });
  return {
    kind: 'getProof',
    source,
    hash: longName[family],
    stateRoot: world.stateRoot,
    note: 'base of the forged set',
    expect: {
      valid: true,
      account: {
        status: 'present',
        address: hex(address('alice')),
        hKey: hex(leaf.hKey),
        hVal: hex(leaf.hValue),
        leafIndex: Number(leafIndex),
        nextFreeNode: Number(world.accounts.nextFreeNode),
        nonce: String(BigInt(hex(words.nonce))),
        balance: String(BigInt(hex(words.balance))),
        codeSize: '0',
        storageRoot: hex(words.storageRoot),
        snarkCodeHash: hex(words.snarkCodeHash),
        keccakCodeHash: hex(words.keccakCodeHash),
      },
      storage,
      requestedSlots: askedSlots.map((name) => hex(slotKey(name))),
    },
    result: world.result('alice', askedSlots),
  };
}

/** The members of a forged result that are not as in the honest one. */
function patchOf(honest: object, forged: object): object[] {
  return Object.entries(forged)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(honest, name)))
    .map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
}

function forgedFile(family: HashFamily, base: string): object {
  const honest = new World(family).result('alice', askedSlots);
  return {
    kind: 'mutations',
    source,
    hash: longName[family],
    base,
    cases: forgeries(family).map(({ name, code, stateRoot, account, slots, result }) => ({
      name,
      valid: false,
      code,
      stateRoot,
      request: { address: hex(address(account)), slots: slots.map((slot) => hex(slotKey(slot))) },
      patch: patchOf(honest, result),
    })),
  };
}

/** File name -> content, for both families. */
export function forgedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const family of ['mimc', 'poseidon2'] as const) {
    const base = `getproof-${family}-honest.json`;
    files.set(base, `${JSON.stringify(honestFile(family), null, 1)}\n`);
    files.set(
      `mutations-${family}-forged.json`,
      `${JSON.stringify(forgedFile(family, base), null, 1)}\n`,
    );
  }
  return files;
}
