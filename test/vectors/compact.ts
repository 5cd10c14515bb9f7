/** Kind `compact`: compact proofs, valid and not (`docs/compact.md`, section 11). */

import { compactProof, verifyAnswer, verifyCompactProof } from '../../src/compact/index.js';
import type { HashFamily, Hex, ProofClaim, VerifiedState } from '../../src/index.js';
import { fromHex } from '../support/hex.js';
import { digits, digitsOf, hash } from '../support/reference.js';
import type { Wire } from '../support/runs.js';
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

interface WirePath {
  leafIndex: bigint;
  nodes: string[];
}

/** All paths of a result in the wire form. */
function pathsOf(result: Wire): WirePath[] {
  const entries = [result.accountProof, ...result.storageProofs].filter((each) => each !== null);
  return entries.flatMap((entry) =>
    [
      [entry.leafIndex, entry.proof],
      [entry.leftLeafIndex, entry.leftProof],
      [entry.rightLeafIndex, entry.rightProof],
    ]
      .filter(([, proof]) => proof !== undefined)
      .map(([index, proof]) => ({ leafIndex: BigInt(index), nodes: proof.proofRelatedNodes })),
  );
}

/** Digits of an empty node's preimage; of the empty leaf itself at height 0. */
const emptyNode = (family: HashFamily, height: number): string =>
  height < 2
    ? digits(0n).repeat(height + 1)
    : hash(family, emptyNode(family, height - 1)).repeat(2);

/** Whether some sibling at or beyond the next free node is not empty: a tree that no rollup has. */
const holdsLeavesBeyond = (family: HashFamily, result: unknown): boolean =>
  pathsOf(result).some(({ leafIndex, nodes }) => {
    const top = digitsOf(nodes[0] as string);
    const number = top.slice(0, -64).replace(family === 'mimc' ? /(?!)/g : /0000(....)/g, '$1');
    return nodes.slice(1, 41).some((node, i) => {
      const height = BigInt(39 - i);
      const isBeyond = ((leafIndex >> height) ^ 1n) << height >= BigInt(`0x${number}`);
      return isBeyond && digitsOf(node).toLowerCase() !== emptyNode(family, Number(height));
    });
  });

/** Checks that a result that was proven has a compact form that proves the same, unless its tree is none. */
export function checkCompact(result: unknown, claim: ProofClaim, state: VerifiedState): void {
  // Once is enough: the portable form has its own run of the compact vectors, and is slow.
  if (claim.engine === 'portable') return;
  if (holdsLeavesBeyond(state.hash, result)) {
    return checkRefused((proof) => compactProof(proof, claim), result, 'BEYOND_NEXT_FREE_NODE');
  }
  checkEqual(verifyCompactProof(compactProof(result, claim), claim), state, 'compact state');
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
