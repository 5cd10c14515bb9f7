/** The operator of the rollup: puts the roots of the devnet's own follower on L1. A real one proves each. */

import type { Hex } from '../../index.js';
import { lmdbStore } from '../../lmdb/index.js';
import { openStateTree } from '../../tree/index.js';
import { callData } from './callData.js';
import { rollup as contract } from './contracts.js';
import { accounts } from './network.js';
import type { DevNode } from './node.js';

/** A block whose root is on L1. */
export interface Finalized {
  readonly block: number;
  readonly stateRoot: Hex;
}

/** Reads the follower's store, and writes to L1. */
export interface Operator {
  /** Puts the root of the follower's newest block on L1, if it is not there yet, and lets L1 finalize it. */
  finalize(): Promise<Finalized | undefined>;
  /** The newest block that the follower knows to be final. */
  finalBlock(): Promise<number>;
  close(): Promise<void>;
}

/** On L1 nobody else needs it. */
const account = accounts[9];

/** @param options.path folder of the follower's store, which is only read */
export async function openOperator({
  path,
  ...chains
}: {
  path: string;
  l1: DevNode;
  l2: DevNode;
  rollup: Hex;
}): Promise<Operator> {
  const { l1, l2, rollup } = chains;
  const tree = await openStateTree({ store: lmdbStore({ path, readOnly: true }) });
  let last = 0;
  return {
    async finalize() {
      const block = (await tree.newestBlock()) ?? 0;
      if (block <= last) return undefined;
      const stateRoot = await tree.stateRoot(block);
      const { timestamp } = await l2.call<{ timestamp: Hex }>(
        'eth_getBlockByNumber',
        `0x${block.toString(16)}`,
        false,
      );
      const finalize = contract.methods['finalize(uint256,bytes32,uint256)'];
      const data = callData(finalize, BigInt(block), stateRoot, BigInt(timestamp));
      await l1.send({ from: account, to: rollup, data });
      // Two blocks later it is final.
      for (let i = 0; i < 2; i++) await l1.call('evm_mine');
      last = block;
      return { block, stateRoot };
    },
    finalBlock: async () => (await tree.finalBlock()) ?? 0,
    close: () => tree.close(),
  };
}
