/** Kind `compact`: compact proofs, valid and not (`docs/compact.md`, section 11). */
import { verifyAnswer, verifyCompactProof } from '../../src/compact/index.js';
import type { Hex, ProofClaim } from '../../src/index.js';
import { fromHex } from '../support/hex.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type Json, type JsonObject } from './members.js';
import { checkRefused } from './proofs.js';

const statementMembers = ['stateRoot', 'address', 'storageKeys', 'proof'];
const accountMembers = [
  'nonce',
  'balance',
  'storageRoot',
  'snarkCodeHash',
  'keccakCodeHash',
  'codeSize',
];

/** The claim of a case. */
export function claimOfCase(file: VectorFile, entry: JsonObject): ProofClaim {
  return {
    stateRoot: entry.stateRoot as Hex,
    address: entry.address as Hex,
    storageKeys: entry.storageKeys as Hex[],
    hash: file.spec.hasher.family,
    ...(file.engine && { engine: file.engine }),
  };
}

function checkCase(file: VectorFile, entry: JsonObject): void {
  const claim = claimOfCase(file, entry);
  const bytes = fromHex(entry.proof as string);
  const own = entry.valid ? ['account', 'storage'] : ['code'];
  checkMembers(entry, ['name', 'valid', ...statementMembers, ...own], [], file.name);
  if (!entry.valid) {
    const verify = (proof: unknown) => verifyCompactProof(proof as Uint8Array, claim);
    return checkRefused(verify, bytes, entry.code as Json);
  }
  for (const verify of [verifyCompactProof, verifyAnswer]) {
    const state = verify(bytes, claim);
    checkEqual(state.stateRoot, entry.stateRoot, 'stateRoot');
    checkEqual(state.address, entry.address, 'address');
    checkEqual(state.hash, claim.hash, 'hash');
    if (entry.account !== null) {
      checkMembers(entry.account as JsonObject, accountMembers, [], 'account');
    }
    checkEqual(state.account, entry.account, 'account');
    checkEqual(state.storage, entry.storage, 'storage');
  }
}

/** One case per statement and proof. */
export function compactCases(file: VectorFile): Case[] {
  checkMembers(file.json, ['kind', 'source', 'hash', 'cases'], ['note'], file.name);
  return (file.json.cases as JsonObject[]).map((entry) => ({
    name: entry.name as string,
    run: () => checkCase(file, entry),
  }));
}
