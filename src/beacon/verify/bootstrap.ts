/** The first step: from a checkpoint to the committee of its period. */
import { encodeHex, equalBytes, type Hex } from '../../bytes.js';
import { checkHex, ownMembers } from '../../foreign/argument.js';
import { refusal } from './errors.js';
import { verifyExecution } from './execution.js';
import { isInTree } from './merkle.js';
import { type BeaconNetwork, defineBeaconNetwork, indicesAt } from './network.js';
import { parseBootstrap } from './parse.js';
import { committeeRoot, headerRoot } from './roots.js';
import type { LightClientStore } from './types.js';

/** The values that a bootstrap must fit. */
export interface Checkpoint {
  /** Root of a beacon block that is trusted, 32 bytes: it must not come from the server that answered. */
  readonly checkpoint: Hex;
  /** The network of the block. */
  readonly network: BeaconNetwork;
}

/**
 * Verifies a bootstrap. Sends no request.
 *
 * @param bootstrap of unknown origin: `data` of what the beacon API answers
 * @returns what a light client knows at the checkpoint
 * @throws ConsensusError that names the law
 * @throws TypeError or RangeError for a wrong checkpoint, before the bootstrap is looked at
 *
 * @example
 * ```ts
 * import { beaconNetworks, verifyBootstrap } from 'l2proof/consensus';
 *
 * const checkpoint = '0xCHECKPOINT'; // the root of a block that you trust
 * const api = 'https://beacon.example/eth/v1/beacon/light_client';
 * const response = await fetch(`${api}/bootstrap/${checkpoint}`);
 * const { data } = (await response.json()) as { data: unknown };
 * const store = verifyBootstrap(data, { checkpoint, network: beaconNetworks.mainnet });
 * console.log(store.finalized.beacon.slot);
 * ```
 */
export function verifyBootstrap(bootstrap: unknown, options: Checkpoint): LightClientStore {
  const given = ownMembers(options, ['checkpoint', 'network'], 'options');
  const { checkpoint } = given;
  const network = defineBeaconNetwork(given.network);
  const trusted = checkHex(checkpoint, 32, 'checkpoint');
  const { header, committee, committeeBranch } = parseBootstrap(bootstrap, network);
  const { beacon } = header;
  const blockRoot = headerRoot(beacon);
  if (!equalBytes(blockRoot, trusted)) {
    throw refusal('WRONG_CHECKPOINT', 'header', 'is the header of another block');
  }
  const executionBlockHash = verifyExecution(header, network, 'header');
  const { currentCommittee } = indicesAt(network, beacon.slot);
  const place = { index: currentCommittee, root: beacon.stateRoot };
  if (!isInTree(committeeRoot(committee), committeeBranch, place)) {
    throw refusal('BAD_COMMITTEE', 'current_sync_committee', 'is not in the state of the header');
  }
  return Object.freeze({
    finalized: Object.freeze({
      beacon,
      blockRoot: encodeHex(blockRoot),
      executionBlockHash,
      signers: undefined,
    }),
    currentCommittee: committee,
    nextCommittee: undefined,
  });
}
