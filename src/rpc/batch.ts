/** The answer to a JSON-RPC batch: one answer to each question, in any order. */
import { createMemberReader, ownMember } from '../foreign/members.js';
import type { BodyParts } from './body.js';
import { type Envelope, parseJson, readParsedEnvelope } from './envelope.js';
import { RpcError } from './errors.js';
import type { Redact } from './redact.js';

/** A question of a batch. */
export interface Question {
  /** Such as `eth_chainId`. */
  readonly method: string;
  /** In the order of the method. */
  readonly params: readonly unknown[];
}

interface BatchParts {
  readonly questions: readonly Question[];
  /** The id of the first question; the others follow. */
  readonly first: number;
  readonly redact: Redact;
}

/**
 * Reads the text of an answer to a batch.
 *
 * @returns the answers in the order of the questions
 * @throws RpcError `NOT_JSON`, `BAD_ENVELOPE` or `WRONG_ID`; `SERVER_ERROR` if the server refuses the whole batch
 */
export function readBatchAnswer(
  body: BodyParts,
  { questions, first, redact }: BatchParts,
): Envelope[] {
  const bad = (reason: string) => new RpcError('BAD_ENVELOPE', 'batch', reason);
  const parsed = parseJson(body, 'batch');
  if (!Array.isArray(parsed)) {
    // A server that takes no batches, or not so long ones, answers them with one error.
    const envelope = readParsedEnvelope(parsed, 'batch', first, redact);
    if ('result' in envelope) throw bad('expected an array of answers');
    const { serverCode, serverMessage } = envelope;
    throw new RpcError('SERVER_ERROR', 'batch', serverMessage, { serverCode, serverMessage });
  }
  const { openArray, readMember } = createMemberReader((at, reason) => bad(`"${at}" ${reason}`));
  const list = openArray(parsed, 'answer');
  if (list.length !== questions.length) {
    throw bad(`expected ${questions.length} answers, got ${list.length}`);
  }
  const byId = new Map<unknown, unknown>();
  for (let i = 0; i < list.length; i++) {
    const answer = readMember(list, i);
    byId.set(ownMember(answer, 'id'), answer);
  }
  return questions.map(({ method }, i) => {
    if (!byId.has(first + i)) {
      throw new RpcError('WRONG_ID', method, 'the batch has no answer to this question');
    }
    return readParsedEnvelope(byId.get(first + i), method, first + i, redact);
  });
}
