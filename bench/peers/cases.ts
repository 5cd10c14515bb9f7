/** The MiMC results of the vectors, valid and not; the layout is in the README of the vectors. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Hex } from './evm.js';

export interface Claim {
  stateRoot: Hex;
  address: Hex;
  storageKeys: Hex[];
  hash: 'mimc';
}
export interface Leaf {
  proofRelatedNodes: Hex[];
}
export interface Entry {
  leafIndex?: number;
  proof?: Leaf;
  leftLeafIndex?: number;
  leftProof?: Leaf;
  rightLeafIndex?: number;
  rightProof?: Leaf;
}
/** Of a valid case; a forged one may be anything. */
export interface Result {
  accountProof: Entry & { key: Hex };
  storageProofs: (Entry | null)[];
}
/** A result, and whether it proves its claim. */
export interface Case {
  name: string;
  result: Result;
  claim: Claim;
  valid: boolean;
  mayDiffer: boolean;
}

/** Applies the edits of a `mutations` case to a copy. */
function applyPatch(
  result: Result,
  patch: { op: string; path: string; value?: unknown }[],
): Result {
  const copy = structuredClone(result);
  for (const { op, path, value } of patch) {
    const names = path.split('/').slice(1);
    const last = names.pop() as string;
    const target = names.reduce((at: object, name) => Reflect.get(at, name), copy);
    if (op !== 'add' && !(last in target)) throw new Error(`patch: nothing at ${path}`);
    if (!Array.isArray(target)) {
      if (op === 'remove') Reflect.deleteProperty(target, last);
      else Reflect.set(target, last, value);
      continue;
    }
    const index = last === '-' ? target.length : Number(last);
    if (op === 'replace') target[index] = value;
    else if (op === 'add') target.splice(index, 0, value);
    else target.splice(index, 1);
  }
  return copy;
}

/** A case of a `mutations` file. */
interface Edited {
  name: string;
  patch?: Parameters<typeof applyPatch>[1];
  stateRoot?: Hex;
  request?: { address?: Hex; slots?: Hex[] };
  hash?: string;
  valid: boolean;
  mayDiffer?: boolean;
}

const mimc = 'mimc-bls12-377';

/** The MiMC results of one vector file. */
function casesOf(path: string): Case[] {
  const json = JSON.parse(readFileSync(path, 'utf8'));
  if (json.kind === 'getProof' && json.hash === mimc) {
    const { result, expect } = json;
    const claim: Claim = {
      stateRoot: json.stateRoot ?? expect.impliedRoot,
      address: expect.account?.address ?? result.accountProof.key,
      storageKeys: expect.requestedSlots,
      hash: 'mimc',
    };
    return [{ name: path, result, claim, valid: expect.valid, mayDiffer: false }];
  }
  if (json.kind !== 'mutations') return [];
  const [base] = casesOf(join(dirname(path), json.base));
  if (!base) return [];
  const own = json.cases.filter((entry: Edited) => (entry.hash ?? mimc) === mimc);
  return own.map((entry: Edited) => ({
    name: `${path}: ${entry.name}`,
    result: applyPatch(base.result, entry.patch ?? []),
    claim: {
      ...base.claim,
      stateRoot: entry.stateRoot ?? base.claim.stateRoot,
      address: entry.request?.address ?? base.claim.address,
      storageKeys: entry.request?.slots ?? base.claim.storageKeys,
    },
    valid: entry.valid,
    mayDiffer: entry.mayDiffer === true,
  }));
}

const besideRepo = (folder: string) => join(import.meta.dirname, '../..', folder);

/** All MiMC results of the folders that are named, or else of those of the repository. */
export function loadCases(named: readonly string[]): Case[] {
  const folders =
    named.length > 0 ? named : ['vectors', '../shared/vectors'].map(besideRepo).filter(existsSync);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .sort()
      .flatMap((name) => casesOf(join(folder, name))),
  );
}
