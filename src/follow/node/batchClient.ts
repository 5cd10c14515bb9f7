/** A node that is asked for many blocks: several questions in one request if its transport takes batches. */
import type { Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import type { ValueReader } from '../../foreign/reader.js';
import type { Question } from '../../rpc/index.js';
import {
  type AskNode,
  blockQuestion,
  createNodeClient,
  type NodeClient,
  receiptsQuestion,
} from '../../rpc/nodeClient.js';

/**
 * Asks several questions of one kind at once, and reads the answers.
 *
 * @throws what the first question fails with that does
 */
export type AskMany = <T>(
  questions: readonly Question[],
  read: (answer: unknown, index: number) => T,
  maxBytes?: number,
) => Promise<T[]>;

/** A node client that also asks about several blocks at once. */
export interface BatchClient extends NodeClient {
  /** Several blocks by their numbers, with the hashes of their transactions; `read` has the number, too. */
  blocks<T>(
    numbers: readonly number[],
    read: (answer: unknown, at: string, number: number) => T,
    maxBytes?: number,
  ): Promise<T[]>;
  /** The receipts of all transactions of several blocks, each named by its number or its hash. */
  receiptsOf<T>(
    blocks: readonly (number | Hex)[],
    read: ValueReader<T>,
    maxBytes?: number,
  ): Promise<T[]>;
}

/** Questions that are asked at a time, of a server that is asked one by one. */
const questionsAtOnce = 8;

/** Asks questions one by one, some at once. */
const askOneByOne =
  (ask: AskNode): AskMany =>
  (questions, read, maxBytes) =>
    mapConcurrently(questions, questionsAtOnce, ({ method, params }, i) =>
      ask(method, params, (answer) => read(answer, i), maxBytes),
    );

/** @param askMany default: one by one */
export const createBatchClient = (
  ask: AskNode,
  askMany: AskMany = askOneByOne(ask),
): BatchClient => ({
  ...createNodeClient(ask),
  blocks: (numbers, read, maxBytes) =>
    askMany(
      numbers.map((number) => blockQuestion(number, false)),
      (answer, i) => read(answer, 'result', numbers[i] as number),
      maxBytes,
    ),
  receiptsOf: (blocks, read, maxBytes) =>
    askMany(blocks.map(receiptsQuestion), (answer) => read(answer, 'result'), maxBytes),
});
