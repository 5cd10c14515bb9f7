/**
 * Proofs as their maker holds them: bytes, not text. They go by the same laws as a foreign answer, which parse.ts
 * reads.
 */
import { decodeAccount } from '../../codec/account.js';
import type { TreeSpec } from '../../codec/spec.js';
import { ShapeError } from '../../errors.js';
import { accountLeaves, type LeafValues, slotLeaves } from '../../proof/parse.js';
import { openOwnPath } from '../../proof/path.js';
import type {
  AccountProof,
  ExistenceProof,
  NonExistenceProof,
  Path,
  SlotProof,
} from '../../proof/types.js';

/** A leaf and its path. */
export interface OwnLeaf {
  readonly leafIndex: bigint;
  /** The value that a proof shows. */
  readonly value: Uint8Array;
  /** As {@link Path} has them. */
  readonly nodes: Uint8Array;
  readonly siblingLeafWidth: number;
}

/** A key with a leaf of its own, or between two. */
export type OwnProof =
  | { readonly own: OwnLeaf }
  | { readonly left: OwnLeaf; readonly right: OwnLeaf };

function openLeaf(
  spec: TreeSpec,
  { leafIndex, value, nodes, siblingLeafWidth }: OwnLeaf,
  widths: readonly number[],
  at: string,
): Path {
  if (!widths.includes(value.length)) {
    throw new ShapeError(`${at}.value`, `expected ${widths.join(' or ')} bytes`);
  }
  return openOwnPath(spec, { leafIndex, nodes, siblingLeafWidth, at: `${at}.proofRelatedNodes` });
}

function openProof(
  spec: TreeSpec,
  held: OwnProof,
  { own, neighbour }: LeafValues,
  at: string,
): ExistenceProof | NonExistenceProof {
  if ('own' in held) {
    const { value } = held.own;
    return { kind: 'existence', value, path: openLeaf(spec, held.own, own, `${at}.proof`) };
  }
  const { left, right } = held;
  return {
    kind: 'nonExistence',
    left: openLeaf(spec, left, neighbour(left.leafIndex), `${at}.leftProof`),
    right: openLeaf(spec, right, neighbour(right.leafIndex), `${at}.rightProof`),
  };
}

/** @param key the address @throws ShapeError */
export function openAccountProof(spec: TreeSpec, key: Uint8Array, held: OwnProof): AccountProof {
  const at = 'accountProof';
  const proof = openProof(spec, held, accountLeaves, at);
  if (proof.kind === 'nonExistence') return { key, ...proof };
  return { key, account: decodeAccount(spec, proof.value, `${at}.proof.value`), ...proof };
}

/** @throws ShapeError */
export const openSlotProof = (
  spec: TreeSpec,
  key: Uint8Array,
  held: OwnProof,
  at: string,
): SlotProof => ({ key, ...openProof(spec, held, slotLeaves, at) });
