/** Roots at one L1 block, read in one of two ways: by calls that are believed, or by proofs. */
import { decodeHex, encodeHex, type Hex } from '../bytes.js';
import { hexBytes } from '../foreign/values.js';
import { type AnchoredRoot, freezeAnchor, type L1BlockParts } from './anchor.js';
import { createRollupContract, type L1Block } from './contract.js';
import type { Endpoint } from './endpoint.js';
import { AnchorError } from './errors.js';
import { finalizedStateOf, type HintSource } from './hints.js';
import type { Network } from './network.js';
import { anchorStorageKeys, verifyAnchorProof } from './proof.js';
import { checkImplementation, checkStateRoot } from './root.js';

/** An L1 block that roots are read at. */
export interface RootSource {
  /**
   * The root of an L2 block; of the last finalized one if none is named.
   *
   * @throws AnchorError, RpcError
   */
  rootOf(l2BlockNumber: number | undefined): Promise<AnchoredRoot>;
  /** Where hints about the same block are asked for. */
  readonly hints: HintSource;
}

/** What both ways need. */
export interface SourceOptions {
  readonly network: Network;
  readonly l1: L1BlockParts;
  /** The same L1 block, for requests. */
  readonly at: L1Block;
  readonly signal: AbortSignal | undefined;
}

const hintsOf = ({ ask }: Endpoint, { network, l1, at }: SourceOptions): HintSource => ({
  ask,
  network,
  l1BlockNumber: l1.blockNumber,
  at,
});

/** @param hinting the endpoint that is asked for hints */
export function openCalledRoots(
  { ask }: Endpoint,
  hinting: Endpoint,
  options: SourceOptions & { readonly how: 'call' | 'quorum' },
): RootSource {
  const { network, l1, at, how, signal } = options;
  const contract = createRollupContract(ask, network.rollup);
  const hints = hintsOf(hinting, options);

  async function checkPins(): Promise<void> {
    if (network.implementations === undefined) return;
    const params = [network.rollup, network.slots.implementation, at];
    const word = await ask('eth_getStorageAt', params, (answer) => hexBytes(answer, 32));
    if (word) checkImplementation(word, network);
    else throw new AnchorError('BAD_ANSWER', 'expected the word at the slot of the implementation');
  }

  /** @throws AnchorError if L1 holds no such root */
  async function stateRootOf(l2BlockNumber: number, wanted: number | undefined): Promise<Hex> {
    const stateRoot = await contract.stateRootHash(l2BlockNumber, at);
    const root = new Uint8Array(32);
    if (stateRoot !== undefined) decodeHex(stateRoot, 32, root);
    const isMissing = stateRoot === undefined && wanted !== undefined;
    const current = isMissing ? await contract.currentL2BlockNumber(at) : l2BlockNumber;
    checkStateRoot(root, network, { l2BlockNumber, current });
    return encodeHex(root);
  }

  return {
    hints,
    async rootOf(wanted) {
      await checkPins();
      const l2BlockNumber = wanted ?? (await contract.currentL2BlockNumber(at));
      const stateRoot = await stateRootOf(l2BlockNumber, wanted);
      const asked = { l2BlockNumber, withWords: false };
      const hint = await finalizedStateOf(hints, asked, signal);
      return freezeAnchor({
        l2ChainId: network.l2ChainId,
        l2BlockNumber,
        stateRoot,
        hash: network.hash,
        timestamp: hint && { value: hint.timestamp, proven: false },
        implementation: undefined,
        l1,
        how,
      });
    },
  };
}

/** @param options.l1StateRoot trusted: of the L1 block */
export function openProvenRoots(
  endpoint: Endpoint,
  options: SourceOptions & { readonly l1StateRoot: Hex },
): RootSource {
  const { network, l1, at, l1StateRoot, signal } = options;
  const { ask } = endpoint;
  const contract = createRollupContract(ask, network.rollup);
  const hints = hintsOf(endpoint, options);

  return {
    hints,
    async rootOf(wanted) {
      // The proof of its slot says whether it is true.
      const expected = wanted ?? (await contract.currentL2BlockNumber(at));
      const params = [network.rollup, anchorStorageKeys(network, expected), at];
      const [result, hint] = await Promise.all([
        ask('eth_getProof', params, (answer) => answer),
        finalizedStateOf(hints, { l2BlockNumber: expected, withWords: true }, signal),
      ]);
      const { l2BlockNumber, stateRoot, implementation, timestamp } = verifyAnchorProof(result, {
        l1StateRoot,
        network,
        l2BlockNumber: wanted,
        finalizedState: hint?.words,
      });
      const value = timestamp ?? hint?.timestamp;
      return freezeAnchor({
        l2ChainId: network.l2ChainId,
        l2BlockNumber,
        stateRoot,
        hash: network.hash,
        timestamp: value === undefined ? undefined : { value, proven: timestamp !== undefined },
        implementation,
        l1,
        how: 'proof',
      });
    },
  };
}
