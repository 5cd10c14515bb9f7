/** Roots at one L1 block, read in one of two ways: by calls that are believed, or by proofs. */
import { type Hex, isZero } from '../bytes.js';
import { wordFor } from '../errors.js';
import type { HashFamily } from '../hash/index.js';
import type { Transport } from '../rpc/index.js';
import { type NodeClient, unread } from '../rpc/nodeClient.js';
import { isProvenRoot } from '../verify/claim.js';
import type { StateKind } from '../verify/result.js';
import {
  type AnchoredRoot,
  type AnchorParts,
  freezeAnchor,
  freezeL1,
  type L1BlockParts,
} from './anchor.js';
import { checkTrusted } from './common/argument.js';
import { AnchorError } from './common/errors.js';
import type { Network } from './common/network.js';
import { readProven } from './common/storage.js';
import { createRollupContract, type L1Block, parseWord } from './contract.js';
import { findFinalizedState, type HintSource } from './hints.js';
import { fetchL2Header } from './l2Header.js';
import { anchorStorageKeys, entrySlot, proveEnd, readImplementation } from './proof.js';
import { checkImplementation, chooseEnd, type End } from './root.js';

/** An L1 block, and whom to ask for proofs under its state root. */
interface ProvenBlock extends Pick<SourceOptions, 'network' | 'at' | 'l1StateRoot'> {
  readonly node: NodeClient;
}

/** An L1 block that the ends of finalizations are read at. */
export interface EndSource {
  /**
   * What L1 says of an L2 block; of the last finalized one if none is named.
   *
   * @throws AnchorError, RpcError
   */
  endOf(l2BlockNumber: number | undefined): Promise<FoundEnd>;
  /**
   * Proves more of the L1 block, by one endpoint after the other until `by` does not throw. The block's state root is proven
   * or believed as the roots of L2 are.
   *
   * @throws AnchorError, RpcError
   */
  prove<T>(by: (block: ProvenBlock) => Promise<T>): Promise<T>;
  /** Where hints about the same block are asked for. */
  readonly hints: HintSource;
  /** The L1 block. */
  readonly l1: AnchoredRoot['l1'];
  readonly how: AnchoredRoot['how'];
}

/** The same, and anchors. */
export interface RootSource extends EndSource {
  /** The anchor of an L2 block; of the last finalized one if none is named. @throws AnchorError, RpcError */
  rootOf(l2BlockNumber: number | undefined): Promise<AnchoredRoot>;
}

/** What both ways need. */
interface SourceOptions {
  readonly network: Network;
  /** State root of the L1 block. */
  readonly l1StateRoot: Hex;
  readonly l1: L1BlockParts;
  /** The same L1 block, for requests. */
  readonly at: L1Block;
  /** Wanted; undefined: either. */
  readonly kind: StateKind | undefined;
  readonly signal: AbortSignal | undefined;
}

/** The facts that a way of reading finds. */
type Facts = Pick<AnchorParts, 'isNewest' | 'implementation'> & {
  readonly l2BlockNumber: number;
  /** Of the block, as L1 has it. */
  readonly timestamp: AnchorParts['timestamp'];
};

/** What L1 says of the last block of a finalization: all of an anchor but for the header that its block hash stands for. */
export type FoundEnd = { readonly end: End } & Facts &
  Pick<AnchorParts, 'l2ChainId' | 'l1' | 'consensus'> &
  Pick<AnchoredRoot, 'how'> & { readonly hash: HashFamily };

/** Who is trusted for the L1 block. */
export type Origin = Pick<AnchoredRoot, 'how'> & Pick<AnchorParts, 'consensus'>;

const foundOf = (
  { network, l1 }: SourceOptions,
  { how, consensus }: Origin,
  found: { readonly end: End } & Facts,
): FoundEnd => ({
  ...{ l2ChainId: network.l2ChainId, hash: network.hash, l1, how, consensus },
  ...found,
});

/**
 * Makes an anchor of what L1 says.
 *
 * @param l2 gives the header, if there is a block hash in place of a root
 * @throws AnchorError, RpcError; the signal's reason
 */
export async function toAnchor(
  { end, hash, ...found }: FoundEnd,
  { l2, signal }: { readonly l2: Transport | undefined; readonly signal: AbortSignal | undefined },
): Promise<AnchoredRoot> {
  if (end.kind === 'tree') {
    return freezeAnchor({ ...found, ...end, hash, blockHash: undefined, header: undefined });
  }
  const { l2BlockNumber, timestamp, how } = found;
  const { blockHash } = end;
  if (l2 === undefined) {
    const text = `L1 holds the hash of L2 block ${l2BlockNumber} in place of a root: pass ${wordFor('l2', '"l2"')}, which gives the header`;
    throw new AnchorError('NO_STATE_ROOT', text);
  }
  const known = await fetchL2Header(l2, { blockHash, l2BlockNumber }, signal);
  const { header, stateRoot, timestamp: value } = known;
  if (timestamp?.proven && timestamp.value !== value) {
    const text = `the header of L2 block ${l2BlockNumber} has another time than L1 has for it`;
    throw new AnchorError('BAD_PROOF', text);
  }
  return freezeAnchor({
    ...found,
    kind: 'header',
    hash: undefined,
    ...{ blockHash, header, stateRoot },
    // The header is as true as the hash.
    timestamp: { value, proven: isProvenRoot(how) },
  });
}

const hintsOf = (node: NodeClient, { network, l1, at }: SourceOptions): HintSource => ({
  node,
  network,
  l1BlockNumber: l1.blockNumber,
  at,
});

/** @param hinting the endpoint that is asked for hints */
export function openCalledRoots(
  node: NodeClient,
  hinting: NodeClient,
  options: SourceOptions & { readonly how: 'call' | 'quorum' },
): Omit<EndSource, 'prove'> {
  const { network, at, how, kind, signal } = options;
  const { stateRootHashes, blockHashes } = network.slots;
  const contract = createRollupContract(node, network.rollup);
  const hints = hintsOf(hinting, options);

  async function checkPins(): Promise<void> {
    if (network.implementations === undefined) return;
    const word = await node.slot(network.rollup, network.slots.implementation, at, parseWord);
    checkImplementation(word, network);
  }

  const entryOf = (mapping: Hex, l2BlockNumber: number): Promise<Uint8Array> =>
    node.slot(network.rollup, entrySlot(mapping, l2BlockNumber), at, parseWord);

  /** Read as a slot: a contract of before has no such function, and the slot says as much. */
  const blockHashOf = async (l2BlockNumber: number): Promise<Uint8Array | undefined> =>
    kind === 'tree' || blockHashes === undefined ? undefined : entryOf(blockHashes, l2BlockNumber);

  /** The same of a contract that may come to have no function for what it writes no more. */
  const stateRootOf = (l2BlockNumber: number): Promise<Uint8Array> =>
    blockHashes === undefined
      ? contract.stateRootHash(l2BlockNumber, at)
      : entryOf(stateRootHashes, l2BlockNumber);

  /** @throws AnchorError if L1 holds neither of it */
  async function readEnd(l2BlockNumber: number, wanted: number | undefined): Promise<End> {
    const [stateRoot, blockHash] = await Promise.all([
      stateRootOf(l2BlockNumber),
      blockHashOf(l2BlockNumber),
    ]);
    const isUnknown = wanted !== undefined && isZero(blockHash ?? stateRoot) && isZero(stateRoot);
    const current = isUnknown ? await contract.currentL2BlockNumber(at) : l2BlockNumber;
    return chooseEnd({ stateRoot, blockHash }, network, { l2BlockNumber, current }, kind);
  }

  return {
    hints,
    l1: freezeL1(options.l1),
    how,
    async endOf(wanted) {
      await checkPins();
      const l2BlockNumber = wanted ?? (await contract.currentL2BlockNumber(at));
      const end = await readEnd(l2BlockNumber, wanted);
      const asked = { l2BlockNumber, withWords: false };
      // If there are several endpoints, their hints must agree too; else there is no hint. A header has the time itself.
      const hint =
        end.kind === 'header'
          ? undefined
          : await findFinalizedState({ ...hints, node }, asked, signal);
      const timestamp = hint && { value: hint.timestamp, proven: false };
      const origin = { how, consensus: undefined };
      const facts = { l2BlockNumber, timestamp, isNewest: undefined, implementation: undefined };
      return foundOf(options, origin, { end, ...facts });
    },
  };
}

/** @param options.l1StateRoot trusted */
export function openProvenRoots(
  node: NodeClient,
  options: SourceOptions & { readonly origin: Origin },
): EndSource {
  const { network, at, l1StateRoot, origin, kind, signal } = options;
  const contract = createRollupContract(node, network.rollup);
  const hints = hintsOf(node, options);

  return {
    hints,
    l1: freezeL1(options.l1),
    how: origin.how,
    prove: (by) => by({ ...options, node }),
    async endOf(wanted) {
      // The proof of its slot says whether it is true.
      const expected = wanted ?? (await contract.currentL2BlockNumber(at));
      const storageKeys = anchorStorageKeys(network, expected);
      const [result, hint] = await Promise.all([
        node.proof({ address: network.rollup, storageKeys }, at, unread),
        findFinalizedState(hints, { l2BlockNumber: expected, withWords: true }, signal),
      ]);
      const claim = { l1StateRoot, network, l2BlockNumber: wanted, finalizedState: hint?.words };
      const { end, facts } = proveEnd(result, claim, kind);
      const { timestamp: value } = facts;
      // Words that do not hash to slot 447 are the endpoint's alone, and nobody trusts it: their time is dropped.
      const timestamp = value === undefined ? undefined : { value, proven: true };
      return foundOf(options, origin, { end, ...facts, timestamp });
    },
  };
}

/** The question: the code of the contract is proven too, if the network pins any. */
const storageKeysOf = ({ slots, implementations }: Network, wanted: readonly Hex[]): Hex[] =>
  implementations === undefined ? [...wanted] : [...wanted, slots.implementation];

/**
 * Reads words of the contract's storage, all proven by one answer under the state root of the source's L1 block. That root is
 * proven or believed as the roots of L2 are.
 *
 * @returns the words in the order of the slots
 * @throws AnchorError, RpcError
 */
export const readRollupSlots = (
  source: Pick<RootSource, 'prove'>,
  slots: readonly Hex[],
): Promise<Uint8Array[]> =>
  source.prove(async ({ node, network, at, l1StateRoot }: ProvenBlock) => {
    const storageKeys = storageKeysOf(network, slots);
    const result = await node.proof({ address: network.rollup, storageKeys }, at, unread);
    const known = { network, l1StateRoot: checkTrusted(l1StateRoot, 'l1StateRoot') };
    return readProven(result, known, (storage) => {
      readImplementation(network, storage);
      return slots.map(storage.read);
    });
  });
