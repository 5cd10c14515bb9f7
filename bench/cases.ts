/** The answers that are timed. */
import { existsSync, readFileSync } from 'node:fs';
import type { HashFamily, Hex, ProofClaim } from '../src/index.js';

export interface Leaf {
  value: Hex | null;
  proofRelatedNodes: Hex[];
}

/** The wire form, as far as the benchmarks take it apart. */
export interface Result {
  accountProof: { key: Hex; leafIndex: number; proof: Leaf };
  storageProofs: unknown[];
}

export interface Case {
  readonly file: string;
  readonly result: Result;
  readonly claim: ProofClaim & { readonly hash: HashFamily };
}

const repository = new URL('../', import.meta.url);

/** Real answers if they are at hand, else synthetic ones of the same kind: figures then differ somewhat. */
function readCase(real: string, synthetic: string): Case {
  const realPath = new URL(`../shared/vectors/getproof-${real}.json`, repository);
  const path = existsSync(realPath)
    ? realPath
    : new URL(`vectors/getproof-${synthetic}.json`, repository);
  const { hash, stateRoot, expect, result } = JSON.parse(readFileSync(path, 'utf8'));
  return {
    file: path.pathname.split('/').at(-1) as string,
    result,
    claim: {
      stateRoot: stateRoot ?? expect.impliedRoot,
      address: result.accountProof.key,
      storageKeys: expect.requestedSlots,
      hash: hash.startsWith('mimc') ? 'mimc' : 'poseidon2',
    },
  };
}

/** The account alone: what a server answers when no slot is asked. */
export function withoutSlots({ file, result, claim }: Case): Case {
  return {
    file,
    result: { ...result, storageProofs: [] },
    claim: { ...claim, storageKeys: [] },
  };
}

export const oneProof: Readonly<Record<HashFamily, Case>> = {
  mimc: withoutSlots(readCase('mimc-mainnet-2025-07-16a-eoa', 'mimc-synthetic-no-storage')),
  poseidon2: withoutSlots(
    readCase('poseidon2-monorepo-contract', 'poseidon2-synthetic-no-storage'),
  ),
};

/** An absent account: two paths under one root. */
export const pair: Case = readCase('mimc-mainnet-2024-08-dne', 'mimc-synthetic-absent');

/** Three slots of one contract. */
export const threeSlots: Case = readCase(
  'mimc-mainnet-2025-07-16a-slotdatacontract',
  'mimc-synthetic-slots',
);
