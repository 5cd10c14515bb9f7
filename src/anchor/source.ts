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
import { createRollupContract, type L1Block, parseWord } from './contract.js';
import { findFinalizedState, type HintSource } from './hints.js';
import type { Network } from './network.js';
import { anchorStorageKeys, provableSlots, proveRoot, proveSlots } from './proof.js';
import { checkImplementation, checkStateRoot } from './root.js';

/** An L1 block that roots are read at. */
export interface RootSource {
  /**
   * The root of an L2 block; of the last finalized one if none is named.
   *
   * @throws AnchorError, RpcError
   */
  rootOf(l2BlockNumber: number | undefined): Promise<AnchoredRoot>;
  /**
   * Words of the rollup contract's storage, from one proof under the state root of the L1 block. That root is proven or
   * believed as the roots of L2 are.
   *
   * @throws AnchorError, RpcError
   */
  readSlots(slots: readonly Hex[]): Promise<Uint8Array[]>;
  /** Where hints about the same block are asked for. */
  readonly hints: HintSource;
  /** The L1 block. */
  readonly l1: AnchoredRoot['l1'];
  readonly how: AnchoredRoot['how'];
}

/** What both ways need. */
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

/** One endpoint's proof of words of the contract. @throws AnchorError, RpcError */
export async function readSlots(
  node: NodeClient,
  { network, at, l1StateRoot }: SourceOptions,
  slots: readonly Hex[],
): Promise<Uint8Array[]> {
  const storageKeys = provableSlots(network, slots);
  const result = await node.proof({ address: network.rollup, storageKeys }, at, unread);
  return proveSlots(result, { l1StateRoot, network, slots });
}

/** @param hinting the endpoint that is asked for hints */
export function openCalledRoots(
  node: NodeClient,
  hinting: NodeClient,
  options: SourceOptions & { readonly how: 'call' | 'quorum' },
): Omit<RootSource, 'readSlots'> {
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
    how: options.origin.how,
    readSlots: (slots) => readSlots(node, options, slots),
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
