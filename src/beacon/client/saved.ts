/**
 * The saved text of a light client between runs: a line with the SHA-256 of the rest, and JSON in the names of the beacon API. The
 * sum finds damage and no forgery: whoever can write there is trusted.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { optional } from '../../foreign/reader.js';
import { hexText, parseWholeNumber } from '../../foreign/values.js';
import type { BeaconNetwork } from '../verify/network.js';
import { as, beaconHeader, committeeOf, read, readMember, readObject } from '../verify/parse.js';
import { headerRoot } from '../verify/roots.js';
import type { LightClientStore, SyncCommittee } from '../verify/types.js';

/** Version of the form. */
const version = 1;

/** The saved values, beside the network. */
export interface Saved {
  /** Root of the block that everything began from. */
  readonly checkpoint: Hex;
  readonly store: LightClientStore;
}

const hashText = as((value) => hexText(value, 32), '0x and 64 hex digits');

const sumOf = (json: string): Hex => encodeHex(sha256(new TextEncoder().encode(json)));

const committeeJson = ({ pubkeys, aggregatePubkey }: SyncCommittee) => ({
  pubkeys: pubkeys.map(encodeHex),
  aggregate_pubkey: encodeHex(aggregatePubkey),
});

/** The text of what is known. */
export function encodeSaved(
  { checkpoint, store }: Saved,
  { genesisValidatorsRoot }: BeaconNetwork,
): string {
  const { beacon, executionBlockHash, signers } = store.finalized;
  const json = JSON.stringify({
    version,
    genesis_validators_root: genesisValidatorsRoot,
    checkpoint,
    beacon: {
      slot: String(beacon.slot),
      proposer_index: String(beacon.proposerIndex),
      parent_root: encodeHex(beacon.parentRoot),
      state_root: encodeHex(beacon.stateRoot),
      body_root: encodeHex(beacon.bodyRoot),
    },
    execution_block_hash: executionBlockHash,
    signers,
    current_sync_committee: committeeJson(store.currentCommittee),
    next_sync_committee: store.nextCommittee && committeeJson(store.nextCommittee),
  });
  return `${sumOf(json)}\n${json}\n`;
}

/** Reads the text. @throws an error of any kind if it is damaged, or of another version or network */
export function decodeSaved(text: string, network: BeaconNetwork): Saved {
  const [sum, json = ''] = text.split('\n');
  if (sum !== sumOf(json)) throw new Error('the sum is another');
  const source = readObject(JSON.parse(json), '');
  if (
    readMember(source, 'version') !== version ||
    readMember(source, 'genesis_validators_root') !== network.genesisValidatorsRoot
  ) {
    throw new Error('the version or the network is another');
  }
  const committee = committeeOf(network.committeeSize);
  const beacon = read(source, 'beacon', beaconHeader);
  return {
    checkpoint: read(source, 'checkpoint', hashText),
    store: Object.freeze({
      finalized: Object.freeze({
        beacon,
        blockRoot: encodeHex(headerRoot(beacon)),
        executionBlockHash: read(source, 'execution_block_hash', optional(hashText)),
        signers: read(source, 'signers', optional(as(parseWholeNumber, 'a whole number'))),
      }),
      currentCommittee: read(source, 'current_sync_committee', committee),
      nextCommittee: read(source, 'next_sync_committee', optional(committee)),
    }),
  };
}
