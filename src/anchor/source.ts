/** Roots at one L1 block, read in one of two ways: by calls that are believed, or by proofs. */
import { encodeHex, type Hex, isZero } from '../bytes.js';
import { type NodeClient, unread } from '../rpc/nodeClient.js';
import {
  type AnchoredRoot,
  type AnchorParts,
  freezeAnchor,
  freezeL1,
  type L1BlockParts,
} from './anchor.js';
import { checkTrusted } from './argument.js';
import { createRollupContract, type L1Block, parseWord } from './contract.js';
import { findFinalizedState, type HintSource } from './hints.js';
import type { Network } from './network.js';
import { anchorStorageKeys, proveRoot, readImplementation, readProven } from './proof.js';
import { checkImplementation, checkStateRoot } from './root.js';

/** An L1 block, and whom to ask for proofs under its state root. */
interface ProvenBlock extends Pick<SourceOptions, 'network' | 'at' | 'l1StateRoot'> {
  readonly node: NodeClient;
}

/** An L1 block that roots are read at. */
export interface RootSource {
  /**
   * The root of an L2 block; of the last finalized one if none is named.
   *
   * @throws AnchorError, RpcError
   */
  rootOf(l2BlockNumber: number | undefined): Promise<AnchoredRoot>;
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

/** The parts of both ways. */
interface SourceOptions {
  readonly network: Network;
  /** State root of the L1 block. */
  readonly l1StateRoot: Hex;
  readonly l1: L1BlockParts;
  /** The same L1 block, for requests. */
  readonly at: L1Block;
  readonly signal: AbortSignal | undefined;
}

/** The facts that a way of reading finds. */
type FoundRoot = Omit<AnchorParts, 'l2ChainId' | 'hash' | 'l1' | 'how' | 'consensus'>;

/** Who is trusted for the L1 block. */
export type Origin = Pick<AnchoredRoot, 'how'> & Pick<AnchorParts, 'consensus'>;

const anchorOf = (
  { network, l1 }: SourceOptions,
  { how, consensus }: Origin,
  root: FoundRoot,
): AnchoredRoot =>
  freezeAnchor({
    ...{ l2ChainId: network.l2ChainId, hash: network.hash, l1, how, consensus },
    ...root,
  });

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
): Omit<RootSource, 'prove'> {
  const { network, at, how, signal } = options;
  const contract = createRollupContract(node, network.rollup);
  const hints = hintsOf(hinting, options);

  async function checkPins(): Promise<void> {
    if (network.implementations === undefined) return;
    const word = await node.slot(network.rollup, network.slots.implementation, at, parseWord);
    checkImplementation(word, network);
  }

  /** @throws AnchorError if L1 holds no such root */
  async function stateRootOf(l2BlockNumber: number, wanted: number | undefined): Promise<Hex> {
    const root = await contract.stateRootHash(l2BlockNumber, at);
    const isUnknown = wanted !== undefined && isZero(root);
    const current = isUnknown ? await contract.currentL2BlockNumber(at) : l2BlockNumber;
    checkStateRoot(root, network, { l2BlockNumber, current });
    return encodeHex(root);
  }

  return {
    hints,
    l1: freezeL1(options.l1),
    how,
    async rootOf(wanted) {
      await checkPins();
      const l2BlockNumber = wanted ?? (await contract.currentL2BlockNumber(at));
      const stateRoot = await stateRootOf(l2BlockNumber, wanted);
      const asked = { l2BlockNumber, withWords: false };
      // If there are several endpoints, their hints must agree too; else there is no hint.
      const hint = await findFinalizedState({ ...hints, node }, asked, signal);
      const timestamp = hint && { value: hint.timestamp, proven: false };
      const root = { l2BlockNumber, stateRoot, timestamp };
      const origin = { how, consensus: undefined };
      return anchorOf(options, origin, { ...root, isNewest: undefined, implementation: undefined });
    },
  };
}

/** @param options.l1StateRoot trusted */
export function openProvenRoots(
  node: NodeClient,
  options: SourceOptions & { readonly origin: Origin },
): RootSource {
  const { network, at, l1StateRoot, origin, signal } = options;
  const contract = createRollupContract(node, network.rollup);
  const hints = hintsOf(node, options);

  return {
    hints,
    l1: freezeL1(options.l1),
    how: origin.how,
    prove: (by) => by({ ...options, node }),
    async rootOf(wanted) {
      // The proof of its slot says whether it is true.
      const expected = wanted ?? (await contract.currentL2BlockNumber(at));
      const storageKeys = anchorStorageKeys(network, expected);
      const [result, hint] = await Promise.all([
        node.proof({ address: network.rollup, storageKeys }, at, unread),
        findFinalizedState(hints, { l2BlockNumber: expected, withWords: true }, signal),
      ]);
      const claim = { l1StateRoot, network, l2BlockNumber: wanted, finalizedState: hint?.words };
      const { root, isNewest } = proveRoot(result, claim);
      const { l2BlockNumber, stateRoot, timestamp: value, implementation } = root;
      return anchorOf(options, origin, {
        l2BlockNumber,
        stateRoot,
        // Words that do not hash to slot 447 are the endpoint's alone, and nobody trusts it: their time is dropped.
        timestamp: value === undefined ? undefined : { value, proven: true },
        isNewest,
        implementation,
      });
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
