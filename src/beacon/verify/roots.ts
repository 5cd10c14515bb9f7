/** Roots of the containers: their members in order, each as a node. */
import { concatBytes, decodeHex, type Hex } from '../../bytes.js';
import { bytesRoot, merkleRoot, numberNode } from './merkle.js';
import type { BeaconNetwork } from './network.js';
import type { BeaconHeader, SyncCommittee } from './types.js';

/** Root of a header: of the block, too. */
export const headerRoot = (header: BeaconHeader): Uint8Array =>
  merkleRoot([
    numberNode(header.slot),
    numberNode(header.proposerIndex),
    header.parentRoot,
    header.stateRoot,
    header.bodyRoot,
  ]);

/** Root of a committee. */
export const committeeRoot = ({ pubkeys, aggregatePubkey }: SyncCommittee): Uint8Array =>
  merkleRoot([merkleRoot(pubkeys.map(bytesRoot)), bytesRoot(aggregatePubkey)]);

/** Type of the signatures of sync committees. */
const domainType = Uint8Array.of(7, 0, 0, 0);

function bytesOf(text: Hex, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  decodeHex(text, width, bytes);
  return bytes;
}

/**
 * The message that a committee signs.
 *
 * @param header.root of the attested header
 * @param header.version of the fork in which it is signed
 */
export function signingRoot(
  { genesisValidatorsRoot }: BeaconNetwork,
  { root, version }: { readonly root: Uint8Array; readonly version: Hex },
): Uint8Array {
  const genesis = bytesOf(genesisValidatorsRoot, 32);
  const forkData = merkleRoot([bytesRoot(bytesOf(version, 4)), genesis]);
  return merkleRoot([root, concatBytes(domainType, forkData.subarray(0, 28))]);
}
