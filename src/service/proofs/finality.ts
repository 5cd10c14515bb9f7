/** Which L2 blocks L1 has finalized: as configured, or as the rollup contract or the store's follower says. */

import { AnchorError } from '../../anchor/common/errors.js';
import { type Finality, rememberedFinality } from '../../anchor/common/finality.js';
import { createRollupContract } from '../../anchor/contract.js';
import type { Hex } from '../../bytes.js';
import { wrongType } from '../../errors.js';
import { ownOptions, pickMembers } from '../../foreign/argument.js';
import { createTransport, type TransportOptions } from '../../rpc/index.js';
import { createNodeClient, toAskNode } from '../../rpc/nodeClient.js';
import { transportOptionNames } from '../../rpc/transport.js';
import type { StateTree } from '../../tree/index.js';
import { ServiceError } from '../http/errors.js';

export { type Finality, fixedFinality } from '../../anchor/common/finality.js';

/**
 * The newest block that the store's own follower has marked final. It trusts that follower, which may trust its L2 node
 * if it was not told to ask L1.
 *
 * @returns a function that gives undefined as long as no block is marked
 */
export const storeFinality =
  (tree: Pick<StateTree, 'finalBlock'>): (() => Promise<number | undefined>) =>
  () =>
    tree.finalBlock();

/** Options of {@link contractFinality}: the L1 endpoint, and the contract. */
export interface ContractFinalityOptions extends TransportOptions {
  /** Address of the rollup contract on L1. */
  contract: Hex;
  /** Which L1 block to ask at; at `latest`, a reorg of L1 may undo the answer. Default `finalized`. */
  l1Block?: 'finalized' | 'safe' | 'latest';
  /** Ms for which an answer is good; default 5,000. */
  maxAge?: number;
  /** Told of an L1 endpoint that fails while an older answer still stands. */
  onError?: (error: unknown) => void;
}

const names = ['contract', 'l1Block', 'maxAge', 'onError', ...transportOptionNames] as const;

/**
 * Asks the rollup contract on L1 for its `currentL2BlockNumber()`, at most once in `maxAge` for all callers together.
 *
 * A final block stays final: the height never goes down, and while the endpoint fails the last height stands.
 *
 * @returns a function that throws RpcError or ServiceError as long as no answer ever came
 * @throws TypeError or RangeError for wrong options
 */
export function contractFinality(options: ContractFinalityOptions): Finality {
  const given = ownOptions(options, names, 'options', ['l1Block', 'maxAge']);
  const { contract, l1Block = 'finalized', maxAge = 5000, onError = () => {} } = given;
  if (!/^0x[0-9a-fA-F]{40}$/.test(contract)) {
    throw wrongType('contract', 'expected an address of 20 bytes');
  }
  const transport = createTransport(pickMembers(given, transportOptionNames, 'options'));
  const rollup = createRollupContract(
    createNodeClient(
      toAskNode((method, params, maxBytes) => transport.call(method, params, { maxBytes })),
    ),
    contract,
  );
  async function ask(): Promise<number> {
    try {
      return await rollup.currentL2BlockNumber(l1Block);
    } catch (cause) {
      if (!(cause instanceof AnchorError)) throw cause;
      const reason = 'the L1 endpoint answered no block number; is there a rollup contract?';
      throw new ServiceError('FINALITY_UNKNOWN', reason, { cause });
    }
  }
  return rememberedFinality({ ask, maxAge, onError });
}
