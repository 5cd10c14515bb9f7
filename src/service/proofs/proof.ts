/** `l2_getProof`: its parameters and its answer. */
import type { Hex } from '../../bytes.js';
import { compactProofInTurns } from '../../compact/encode.js';
import type { ProofWork, TextWork, TreeErrorCode } from '../../tree/index.js';
import { hasOwnPieces } from '../../tree/prove/ownPieces.js';
import { blockMissing, codes, HttpError } from '../http/httpError.js';
import { pieceMemory } from '../http/pieceMemory.js';
import { type CallContext, JsonText, type Method } from '../jsonrpc/method.js';
import { readProvenParams } from '../jsonrpc/params.js';
import type { ServiceLimits } from '../limits/limits.js';
import {
  type AnyFinality,
  type BlockParameter,
  chooseBlock,
  type ProvingTree,
  parseBlock,
} from './block.js';

interface ProofCall {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  readonly block: BlockParameter;
}

/** The three parameters by position. @throws HttpError */
function readParams(params: unknown, maxKeys: number): ProofCall {
  const { block, ...account } = readProvenParams(params, maxKeys, 'blockParameter');
  return { block: parseBlock(block), ...account };
}

const takePiece = (bytes: number) => pieceMemory.take(bytes);

/** Storage keys of an answer whose memory is used again. Those of fewer may be sent in one turn, and are garbage soon. */
const manyKeys = 32;

const hasCode = (error: unknown, code: TreeErrorCode) =>
  (Object(error) as { code?: unknown }).code === code;

/**
 * The method that makes proofs.
 *
 * @param name the method's own, or an alias
 * @param limits of a call: its storage keys, and what its proof may read
 */
export function proofMethod(
  name: string,
  tree: ProvingTree,
  finality: AnyFinality,
  limits: Pick<ServiceLimits, 'storageKeys' | 'reads'>,
): Method<ProofCall> {
  /** @throws TreeError `BLOCK_MISSING`, `TOO_MANY_READS` */
  async function prove(
    { address, storageKeys }: ProofCall,
    block: number,
    { pause, takesCompact }: CallContext,
  ): Promise<unknown> {
    const maxReads = limits.reads;
    if (!takesCompact) {
      const memory = storageKeys.length >= manyKeys && hasOwnPieces(tree) ? takePiece : undefined;
      const work: TextWork = { maxReads, pause, asText: true, inPieces: true, memory };
      const result: unknown = await tree.getProof(address, storageKeys, block, work);
      if (Array.isArray(result)) return new JsonText(result);
      return typeof result === 'string' ? new JsonText([result]) : result;
    }
    const work: ProofWork = { maxReads, pause };
    const result = await tree.getProof(address, storageKeys, block, work);
    const stateRoot = await tree.stateRoot(block);
    await pause();
    const claim = { address, storageKeys, stateRoot, hash: tree.hash };
    return compactProofInTurns(result, claim, pause);
  }

  return {
    name,
    read: (params) => readParams(params, limits.storageKeys),
    cost: ({ storageKeys }) => 1 + storageKeys.length,
    slots: ({ storageKeys }) => storageKeys.length,
    async run(call, context) {
      for (let attempt = 1; ; attempt++) {
        const block = await chooseBlock(tree, finality, call.block);
        try {
          return { block, result: await prove(call, block, context) };
        } catch (error) {
          if (hasCode(error, 'TOO_MANY_READS')) {
            // No `retryAfter`: the same question would fail again.
            throw new HttpError(codes.limitExceeded, (error as Error).message);
          }
          if (!hasCode(error, 'BLOCK_MISSING')) throw error;
          // The block was dropped in between. A tag now means another block; a number means a block that is not held.
          if (attempt === 2) throw blockMissing('block is missing');
        }
      }
    },
  };
}
