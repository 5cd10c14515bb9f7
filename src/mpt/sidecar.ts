/**
 * Blobs beside a transaction. It is sent over the network with them (EIP-4844; since Osaka EIP-7594), and blocks hold it
 * without. Anvil's blocks hold what was sent, in their root too, and Anvil alone answers the blobs: so whether they are there
 * says which form the root covers. The two forms cannot be taken for each other: the first item of one is a list.
 */
import type { Source } from '../foreign/members.js';
import type { Item } from './encode.js';
import { dataForm, listOf, type Member, parseMembers, pointForm, readMember } from './forms.js';
import { encodeTyped } from './type.js';

const blobs: readonly Member[] = [
  ['blobs', listOf(dataForm)],
  ['commitments', listOf(pointForm)],
];
const cellProofs: Member = ['cellProofs', listOf(pointForm)];
const proofs: Member = ['proofs', listOf(pointForm)];

const has = (source: Source, name: string) => (readMember(source, name) ?? undefined) !== undefined;

/** A transaction of type 3 with its blobs; undefined if the answer has none. @throws ShapeError */
export function encodeWithBlobs(source: Source, items: readonly Item[]): Uint8Array | undefined {
  if (!has(source, 'blobs')) return undefined;
  const isOfCells = has(source, 'cellProofs');
  const beside = parseMembers(source, [...blobs, isOfCells ? cellProofs : proofs]);
  // The version of the wrapper.
  return encodeTyped(3, [items, ...(isOfCells ? [Uint8Array.of(1)] : []), ...beside]);
}
