/**
 * Where the proofs of a page come from: the service's own tree, under the root that L1 has of it, or the L2 node, under the
 * header whose hash L1 has.
 */
import { encodeHex, type Hex } from '../../bytes.js';
import { compactProofInTurns } from '../../compact/encode.js';
import { ProofError } from '../../errors.js';
import { createReader } from '../../foreign/reader.js';
import type { ProvenQuestion } from '../../proven/index.js';
import { trieProofAnswer } from '../../rpc/bounds.js';
import { type NodeClient, unread } from '../../rpc/nodeClient.js';
import { NodeError } from '../chain/errors.js';
import { nonsense } from '../chain/node.js';
import { loadBlocksPeer } from '../http/peers.js';
import type { Pause } from '../jsonrpc/method.js';
import type { ProvingTree } from '../proofs/block.js';

/** Proofs of the state of one block. */
export interface PageProofSource {
  /** Accounts and slots of a page at most, so that its answer is not too long. Items beyond are not proven. */
  readonly maxEntries: number;
  /** 32 bytes. @throws NodeError, RpcError */
  stateRoot(): Promise<Hex>;
  /** @param stateRoot of the same source @param pause awaited between pieces @throws NodeError, RpcError */
  prove(question: ProvenQuestion, stateRoot: Hex, pause: Pause): Promise<Hex | object>;
}

/** Compact proofs, as hex. */
export const treeProofs = (tree: ProvingTree, block: number): PageProofSource => ({
  maxEntries: 4096,
  stateRoot: () => tree.stateRoot(block),
  async prove({ address, storageKeys }, stateRoot, pause) {
    const result = await tree.getProof(address, storageKeys, block, { pause });
    await pause();
    const claim = { address, storageKeys, stateRoot, hash: tree.hash };
    return encodeHex(await compactProofInTurns(result, claim, pause));
  },
});

const { readObject, read, asHex } = createReader(nonsense);

/**
 * Answers of the node to `eth_getProof`, of which nothing is passed on but what holds under the root: it might nest without
 * end. Each path takes some 8 kB of JSON, hence the bound.
 */
export const headerProofs = (node: NodeClient, block: number): PageProofSource => ({
  maxEntries: 1024,
  stateRoot: () =>
    node.block(block, (answer, at) => read(readObject(answer, at), 'stateRoot', asHex(32))),
  async prove(question, stateRoot, pause) {
    // Loaded with the first such page: most services are asked for none.
    const loading = import('../../proven/index.js');
    const { openStateVerifier, toRpcAnswer } = await loadBlocksPeer('@ethereumjs/rlp', loading);
    const longest = trieProofAnswer(question.storageKeys.length);
    const answer = await node.proof(question, block, unread, longest);
    const verify = openStateVerifier({ kind: 'header', stateRoot, l2BlockNumber: block });
    try {
      return toRpcAnswer(answer, await verify(answer, question, pause));
    } catch (cause) {
      if (!(cause instanceof ProofError)) throw cause;
      const text = "the L2 node's proofs are not of the header that it gives for the block";
      throw new NodeError('BAD_ANSWER', text, { cause });
    }
  },
});
