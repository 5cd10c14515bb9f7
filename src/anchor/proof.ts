/**
 * The step from a trusted L1 state root to an L2 state root: the answer of one `eth_getProof` about the rollup
 * contract, which proves each word of its storage that is read.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  bytesToInteger,
  concatBytes,
  encodeHex,
  equalBytes,
  type Hex,
  integerToBytes,
} from '../bytes.js';
import { checkHex, ownMembers } from '../codec/argument.js';
import { wrongRange } from '../errors.js';
import type { StateKind } from '../verify/result.js';
import { checkTrusted, checkWhole } from './common/argument.js';
import { wrongNetwork } from './common/errors.js';
import { defineNetwork, type Network } from './common/network.js';
import { type ProvenStorage, readProven } from './common/storage.js';
import { checkImplementation, chooseEnd, type End } from './root.js';

/** The values that an L1 proof must fit. */
export interface AnchorClaim {
  /** State root of the L1 block that was asked about, 32 bytes, trusted; `verifyL1Header` proves it. */
  readonly l1StateRoot: Hex;
  /** The rollup network. */
  readonly network: Network;
  /** The L2 block whose root is wanted. Default: the last finalized one, which is then proven too. */
  readonly l2BlockNumber?: number | undefined;
  /**
   * The preimage of slot 447, from any source: message number, its rolling hash, forced transaction number, its rolling
   * hash, timestamp; without the two of forced transactions before contract version 7. 32 bytes each.
   */
  readonly finalizedState?: readonly Hex[] | undefined;
}

/** The facts that the L1 state root proves. */
export interface ProvenRoot {
  /** The L2 block whose state the root is of. */
  readonly l2BlockNumber: number;
  /** Root of the L2 state after the block: the `stateRoot` of a claim for `verifyProof`. */
  readonly stateRoot: Hex;
  /** Code of the rollup contract, 20 bytes. Undefined if its slot was not asked for, or holds zero. */
  readonly implementation?: Hex;
  /**
   * Time of the L2 block in seconds. Undefined unless the block is the last finalized one, that is proven by its slot,
   * and `finalizedState` hashes to the word at slot 447.
   */
  readonly timestamp?: bigint;
}

/** The same of a block whose hash L1 holds. */
export interface ProvenBlockHash extends Omit<ProvenRoot, 'stateRoot'> {
  /** Hash of the L2 block, 32 bytes, for `verifyL2Header`. */
  readonly blockHash: Hex;
}

/** Stands for a word that is not wanted. */
const noWord = new Uint8Array(32);

/** The slot of a block's entry in a mapping from L2 blocks. */
export const entrySlot = (mapping: Hex, l2BlockNumber: number): Hex =>
  encodeHex(
    keccak_256(
      concatBytes(integerToBytes(BigInt(l2BlockNumber), 32), checkHex(mapping, 32, 'slot')),
    ),
  );

/**
 * The storage keys to ask L1's `eth_getProof` for, about `network.rollup`, so that {@link verifyAnchorProof} finds all
 * that it can prove.
 *
 * @param l2BlockNumber the block whose root is wanted; the last finalized one may come from an untrusted source
 * @returns the root's slot, then those of the block number, the implementation, the finalized state and, if the network names
 *   `blockHashes`, of the block's hash; 32 bytes each
 * @throws TypeError or RangeError for a wrong argument
 *
 * @example
 * ```ts
 * import { anchorStorageKeys, networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const l1 = createTransport({ url: 'https://l1.example' });
 * const storageKeys = anchorStorageKeys(networks.mainnet, 28511680);
 * const params = [networks.mainnet.rollup, storageKeys, 'finalized'];
 * const proof = await l1.call('eth_getProof', params); // for verifyAnchorProof
 * console.log(storageKeys.length, typeof proof); // 4 object
 * ```
 */
export function anchorStorageKeys(network: Network, l2BlockNumber: number): Hex[] {
  const known = defineNetwork(network);
  const { currentL2BlockNumber, implementation, currentFinalizedState } = known.slots;
  const { stateRootHashes, blockHashes } = known.slots;
  const number = checkWhole(l2BlockNumber, 'l2BlockNumber');
  return [
    entrySlot(stateRootHashes, number),
    ...[currentL2BlockNumber, implementation, currentFinalizedState],
    ...(blockHashes === undefined ? [] : [entrySlot(blockHashes, number)]),
  ];
}

/**
 * Verifies what an L1 server answers to `eth_getProof` about the rollup contract. Sends no request. The answer's own
 * `balance`, `storageHash`, `value` and so on are not read: they prove nothing.
 *
 * @param result of unknown origin: the `result` of the answer, with at least the slot of the root; without
 *   `l2BlockNumber` also that of the block number, with pinned `implementations` also that of the implementation
 * @throws AnchorError `BAD_ANSWER`, `BAD_PROOF`, `WRONG_NETWORK`, `WRONG_IMPLEMENTATION`, `WRONG_FAMILY`,
 *   `NOT_PROVABLE` or `NO_STATE_ROOT`
 * @throws TypeError or RangeError for a wrong claim, before the result is looked at
 *
 * @example
 * ```ts
 * import { anchorStorageKeys, networks, verifyAnchorProof } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const l1 = createTransport({ url: 'https://l1.example' });
 * const network = networks.mainnet;
 * const storageKeys = anchorStorageKeys(network, 28511680);
 * const block = { blockHash: '0xL1_BLOCK_HASH' };
 * const answer = await l1.call('eth_getProof', [network.rollup, storageKeys, block]);
 * const l1StateRoot = '0xL1_STATE_ROOT'; // of that block, from verifyL1Header
 * const { l2BlockNumber, stateRoot } = verifyAnchorProof(answer, { l1StateRoot, network });
 * console.log(l2BlockNumber, stateRoot);
 * ```
 */
export function verifyAnchorProof(result: unknown, claim: AnchorClaim): ProvenRoot {
  const { end, facts } = proveEnd(result, claim, 'tree');
  const { l2BlockNumber, implementation, timestamp } = facts;
  // Named even if unknown: a missing member would be looked up in the prototype.
  return { l2BlockNumber, ...rootOf(end), implementation, timestamp } as ProvenRoot;
}

const rootOf = (end: End) => (end.kind === 'tree' ? { stateRoot: end.stateRoot } : {});

/**
 * Verifies the same answer for the hash of an L2 block, which the contract holds from version 9 on. `verifyL2Header` leads from
 * there to the root of the state.
 *
 * @param result of unknown origin: as {@link verifyAnchorProof} takes it, with the slot of the hash
 * @param claim its network names `slots.blockHashes`
 * @throws as {@link verifyAnchorProof}
 *
 * @example
 * ```ts
 * import { anchorStorageKeys, defineNetwork, networks, verifyBlockHashProof } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const l1 = createTransport({ url: 'https://l1.example' });
 * const network = defineNetwork({ ...networks.mainnet, slots: { blockHashes: 456 } });
 * const storageKeys = anchorStorageKeys(network, 28511680);
 * const block = { blockHash: '0xL1_BLOCK_HASH' };
 * const answer = await l1.call('eth_getProof', [network.rollup, storageKeys, block]);
 * const l1StateRoot = '0xL1_STATE_ROOT'; // of that block, from verifyL1Header
 * const { l2BlockNumber, blockHash } = verifyBlockHashProof(answer, { l1StateRoot, network });
 * console.log(l2BlockNumber, blockHash);
 * ```
 */
export function verifyBlockHashProof(result: unknown, claim: AnchorClaim): ProvenBlockHash {
  const { end, facts } = proveEnd(result, claim, 'header');
  const { l2BlockNumber, implementation, timestamp } = facts;
  const { blockHash } = end as Extract<End, { kind: 'header' }>;
  return { l2BlockNumber, blockHash, implementation, timestamp } as ProvenBlockHash;
}

/** What is proven of the last block of a finalization. */
interface ProvenEnd {
  readonly end: End;
  readonly facts: {
    readonly l2BlockNumber: number;
    readonly implementation: Hex | undefined;
    /** As slot 447 has it. */
    readonly timestamp: bigint | undefined;
    /** Whether the block is proven to be the last finalized one. */
    readonly isNewest: boolean;
  };
}

/**
 * Reads what the answer proves.
 *
 * @param kind wanted; undefined: either. Then root and hash must both be proven, zeros included: who may leave out one would
 *   choose the kind
 * @throws as {@link verifyAnchorProof}
 */
export function proveEnd(
  result: unknown,
  claim: AnchorClaim,
  kind: StateKind | undefined,
): ProvenEnd {
  const given = ownMembers(
    claim,
    ['l1StateRoot', 'network', 'l2BlockNumber', 'finalizedState'],
    'claim',
  );
  const network = defineNetwork(given.network);
  const { slots } = network;
  const { blockHashes } = slots;
  if (kind === 'header' && blockHashes === undefined) {
    throw wrongRange('network.slots.blockHashes', 'expected the slot of the mapping');
  }
  const l1StateRoot = checkTrusted(given.l1StateRoot, 'l1StateRoot');
  const wanted =
    given.l2BlockNumber === undefined
      ? undefined
      : checkWhole(given.l2BlockNumber, 'l2BlockNumber');
  const finalizedState = hashFinalizedState(given.finalizedState);

  return readProven(result, { network, l1StateRoot }, (storage) => {
    const { read, find } = storage;
    const current = readCurrent(network, wanted === undefined ? read : find);
    const l2BlockNumber = wanted ?? (current as number);
    const entryOf = (mapping: Hex) => read(entrySlot(mapping, l2BlockNumber));
    const words = {
      stateRoot: kind === 'header' ? noWord : entryOf(slots.stateRootHashes),
      blockHash: kind === 'tree' || blockHashes === undefined ? undefined : entryOf(blockHashes),
    };
    const end = chooseEnd(words, network, { l2BlockNumber, current }, kind);
    const implementation = readImplementation(network, storage);
    const isNewest = current === l2BlockNumber;
    const hash = finalizedState && isNewest && find(slots.currentFinalizedState);
    const isTimed = hash && equalBytes(hash, finalizedState.hash);
    const timestamp = isTimed ? finalizedState?.timestamp : undefined;
    return { end, facts: { l2BlockNumber, implementation, timestamp, isNewest } };
  });
}

/** The last finalized L2 block, if the answer shows it. */
function readCurrent(
  network: Network,
  read: (slot: Hex) => Uint8Array | undefined,
): number | undefined {
  const word = read(network.slots.currentL2BlockNumber);
  if (word === undefined) return undefined;
  const current = Number(bytesToInteger(word));
  if (Number.isSafeInteger(current)) return current;
  throw wrongNetwork(network, 'the slot of the block number holds more than 53 bits');
}

/** The code behind the proxy; must be there, and one of them, if the network pins any. */
export function readImplementation(
  network: Network,
  { find, read }: ProvenStorage,
): Hex | undefined {
  const { slots, implementations } = network;
  const word = (implementations ? read : find)(slots.implementation);
  return word && checkImplementation(word, network);
}

/** @throws TypeError or RangeError if the words cannot be the preimage of slot 447 */
function hashFinalizedState(
  words: readonly Hex[] | undefined,
): { hash: Uint8Array; timestamp: bigint } | undefined {
  if (words === undefined) return undefined;
  if (!Array.isArray(words) || (words.length !== 5 && words.length !== 3)) {
    throw new TypeError('"finalizedState" expected five words, or three');
  }
  const bytes = words.map((word, i) => checkHex(word, 32, `finalizedState[${i}]`));
  const timestamp = bytesToInteger(bytes[bytes.length - 1] as Uint8Array);
  return { hash: keccak_256(concatBytes(...bytes)), timestamp };
}
