/** The operator of the rollup: puts the roots of the devnet's own follower on L1. A real one proves each. */
import type { Hex } from '../../index.js';
import { lmdbStore } from '../../lmdb/index.js';
import { openStateTree } from '../../tree/index.js';
import { toCallData } from './callData.js';
import { rollup as contract } from './contracts.js';
import { accounts, type DevNetwork, takesHashes } from './network.js';
import type { DevNode } from './node.js';

/** A block whose root is on L1, or whose hash. */
export interface Finalized {
  readonly block: number;
  readonly stateRoot?: Hex;
  readonly blockHash?: Hex;
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

/** keccak-256 of `MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)`. */
const messageSent = '0xe856c2b8bd4eb0027ce32eeaf595c21b0b6b4644b326e5b7bd80a1cf8db72e6c';

/** Height of the trees of messages, as the contract has it. */
const treeDepth = 5;

/** Roots of the trees of the messages that were sent in some blocks. */
async function messageRoots(
  l2: DevNode,
  { messageService }: DevNetwork,
  { from, to }: { from: number; to: number },
): Promise<Hex[]> {
  const [fromBlock, toBlock] = [from, to].map((block) => `0x${block.toString(16)}`);
  const filter = { address: messageService, topics: [messageSent], fromBlock, toBlock };
  const logs = await l2.call<{ topics: [Hex, Hex, Hex, Hex] }[]>('eth_getLogs', filter);
  // It needs a package, and this file is read before the command says which are missing.
  const { messageTrees } = await import('../../messages/index.js');
  const hashes = logs.map(({ topics: [, , , hash] }) => hash);
  return messageTrees(hashes, treeDepth).map(({ root }) => root);
}

/** @param options.path folder of the follower's store, which is only read */
export async function openOperator({
  path,
  ...chains
}: {
  path: string;
  l1: DevNode;
  l2: DevNode;
  network: DevNetwork;
}): Promise<Operator> {
  const { l1, l2, network } = chains;
  const tree = await openStateTree({ store: lmdbStore({ path, readOnly: true }) });
  let last = 0;
  return {
    async finalize() {
      const block = (await tree.newestBlock()) ?? 0;
      if (block <= last) return undefined;
      const { timestamp, hash: blockHash } = await l2.call<{ timestamp: Hex; hash: Hex }>(
        'eth_getBlockByNumber',
        `0x${block.toString(16)}`,
        false,
      );
      const roots = await messageRoots(l2, network, { from: last + 1, to: block });
      const finalized = takesHashes(network)
        ? { block, blockHash }
        : { block, stateRoot: await tree.stateRoot(block) };
      const { 'finalize(uint256,bytes32,uint256,bytes32[])': finalize, ...others } =
        contract.methods;
      const finalizeBlock = others['finalizeBlock(uint256,bytes32,uint256,bytes32[])'];
      // The list stands behind the four words of the arguments.
      const list = [128n, BigInt(roots.length), ...roots] as const;
      const [method, word] = finalized.stateRoot
        ? [finalize, finalized.stateRoot]
        : [finalizeBlock, blockHash];
      const data = toCallData(method, BigInt(block), word, BigInt(timestamp), ...list);
      await l1.send({ from: account, to: network.rollup, data });
      // Two blocks later it is final.
      for (let i = 0; i < 2; i++) await l1.call('evm_mine');
      last = block;
      return finalized;
    },
    finalBlock: async () => (await tree.finalBlock()) ?? 0,
    close: () => tree.close(),
  };
}
