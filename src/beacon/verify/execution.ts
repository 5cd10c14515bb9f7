/** From a beacon header to the hash of its execution block. */
import { encodeHex, type Hex, isZero } from '../../bytes.js';
import { refusal } from './errors.js';
import { isInTree, merkleRoot } from './merkle.js';
import { type BeaconNetwork, indicesAt } from './network.js';
import type { LightClientHeader } from './types.js';

/**
 * Verifies the execution part of a header, which may stand in an object of a later fork.
 *
 * @param path of the header
 * @returns hash of the execution block; undefined in a header from before Capella
 * @throws ConsensusError `BAD_EXECUTION`
 */
export function verifyExecution(
  { beacon, execution }: LightClientHeader,
  network: BeaconNetwork,
  path: string,
): Hex | undefined {
  const { nodes, branch, blockHash } = execution;
  const own = indicesAt(network, beacon.slot);
  if (own.blockHash === undefined) {
    if (execution.isEmpty && branch.every((sibling) => isZero(sibling))) return undefined;
    throw refusal('BAD_EXECUTION', path, 'expected no execution block: it is from before Capella');
  }
  // An object from Gloas on holds the hash alone, and the branch of a header from before leads from there.
  const isHashAlone = nodes.length === 1;
  const count = isHashAlone ? 1 : own.payloadMembers;
  const index = isHashAlone ? own.blockHash : (own.payload ?? own.blockHash);
  const isShort = nodes.slice(count).every((node) => isZero(node));
  const root = merkleRoot(nodes.slice(0, count));
  if (!isShort || !isInTree(root, branch, { index, root: beacon.bodyRoot })) {
    throw refusal('BAD_EXECUTION', path, 'names an execution block that is not in its body');
  }
  return encodeHex(blockHash as Uint8Array);
}
