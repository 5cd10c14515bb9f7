/** The vector files of compact proofs, and how they are read. */
// @ts-nocheck

import type { HashFamily } from '../../src/index.js';
import type { Digits } from '../support/reference.js';
import { forgedCases } from './forged.js';
import { readCompact, type Statement } from './read.js';
import { validCases } from './valid.js';
import { proof } from './write.js';

const longName = { mimc: 'mimc-bls12-377', poseidon2: 'poseidon2-koalabear' };
const hex = (text: Digits) => `0x${text}`;

const claimOf = ({ stateRoot, address, storageKeys }: Statement) => ({
  stateRoot: hex(stateRoot),
  address: hex(address),
  storageKeys: storageKeys.map(hex),
});

/** The words of an account, as files write them. */
function accountOf(words: Digits[] | null): object | null {
  if (words === null) return null;
  const [nonce, balance, storageRoot, snark, keccak, codeSize] = words.map(hex) as string[];
  const decimal = (word: string | undefined) => String(BigInt(word as string));
  return {
    nonce: decimal(nonce),
    balance: decimal(balance),
    storageRoot,
    snarkCodeHash: snark,
    keccakCodeHash: keccak,
    codeSize: decimal(codeSize),
  };
}

export function compactFile(family: HashFamily): object {
  const valid = validCases(family).map(({ name, world, account, slots }) => {
    const statement = world.statement(account, slots);
    const bytes = proof(world.parts(account, slots));
    const proven = readCompact(bytes, statement);
    if (typeof proven === 'string') throw new Error(`${name}: ${proven}`);
    return {
      name,
      valid: true,
      ...claimOf(statement),
      account: accountOf(proven.account),
      storage: proven.storage.map(({ key, value, exists }) => ({
        key: hex(key),
        value: hex(value),
        exists,
      })),
      proof: hex(bytes),
    };
  });
  const forged = forgedCases(family).map(({ name, code, statement, proof: bytes }) => {
    const law = readCompact(bytes, statement);
    if (typeof law !== 'string') throw new Error(`${name}: is proven`);
    return { name, valid: false, code, ...claimOf(statement), proof: hex(bytes) };
  });
  return {
    kind: 'compact',
    source: 'synthetic, made by test/compact with the reference hashes of test/support',
    hash: longName[family],
    cases: [...valid, ...forged],
  };
}

/** File name -> content, for both families. */
export function compactFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const family of ['mimc', 'poseidon2'] as const) {
    files.set(`compact-${family}.json`, `${JSON.stringify(compactFile(family), null, 1)}\n`);
  }
  return files;
}
