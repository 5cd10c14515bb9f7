/** The answers to the calls of a request. */
import { isBytes } from '../../bytes.js';
import { compactType, jsonType } from '../../rpc/mediaType.js';
import { type BodyPiece, type HttpBody, wholeBody } from '../http/http.js';
import { codes, HttpError, toErrorObject, toHttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { CallBatch, Prepared } from './batch.js';
import type { CallId } from './call.js';
import { type Answer, type CallContext, JsonPieces, JsonText } from './method.js';

export interface BatchReply {
  /** Media type of the body. */
  readonly type: string;
  readonly body: HttpBody;
  /** The block that a single call was answered for. */
  readonly block: number | undefined;
}

async function run({ work }: Prepared, context: CallContext): Promise<Answer> {
  if (work instanceof HttpError) throw work;
  await context.pause();
  return work(context);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A result that is JSON already; undefined for another one. */
function writtenOf({ result }: Answer): readonly BodyPiece[] | undefined {
  if (result instanceof JsonText) return [result.text];
  return result instanceof JsonPieces ? result.pieces : undefined;
}

/** What stands before a result that is written already; behind it stands a brace. */
const openingOf = ({ id }: Prepared): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;

function textOf(call: Prepared, answer: Answer): string {
  const written = writtenOf(answer);
  if (!written) return JSON.stringify({ jsonrpc: '2.0', id: call.id, result: answer.result });
  const [text] = written;
  const whole = typeof text === 'string' ? text : decoder.decode(wholeBody(written));
  return `${openingOf(call)}${whole}}`;
}

/** Whether an id is ASCII in JSON: most are numbers. */
const isPlain = (id: CallId): boolean => typeof id !== 'string' || /^[ -~]*$/.test(id);

/** The answer to the only call of a request. */
function answerSingle(call: Prepared, answer: Answer): BatchReply {
  const { result, block } = answer;
  if (isBytes(result)) return { type: compactType, body: result, block };
  const written = writtenOf(answer);
  if (!written) return { type: jsonType, body: encoder.encode(textOf(call, answer)), block };
  const opening = openingOf(call);
  const first = isPlain(call.id) ? opening : encoder.encode(opening);
  return { type: jsonType, body: [first, ...written, '}'], block };
}

const errorText = (id: CallId, refusal: HttpError): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: toErrorObject(refusal) });

/** The answer to one of several calls: a refusal does not affect the others. */
async function answerOne(call: Prepared, context: CallContext, log?: ServiceLog): Promise<string> {
  try {
    return textOf(call, await run(call, context));
  } catch (error) {
    // Another status than 200 is about the request as a whole: time is up, or the client went away.
    if (error instanceof HttpError && error.status !== 200) throw error;
    return errorText(call.id, toHttpError(error, log));
  }
}

/** How the calls of a batch are carried out: proofs keep this process busy, questions to other servers only wait. */
export type BatchOrder = 'in turn' | 'together';

/** Characters of answers in a batch, after which no other call is carried out. */
const maxBatchLength = 16 * 1024 * 1024;

const tooLong = ({ id }: Prepared): string =>
  errorText(
    id,
    new HttpError(codes.limitExceeded, 'the answers of the batch are too long; send fewer calls'),
  );

/** @returns the answers in the order of the calls */
async function answerEach(
  calls: readonly Prepared[],
  order: BatchOrder,
  answer: (call: Prepared) => Promise<string>,
): Promise<string[]> {
  if (order === 'together') return Promise.all(calls.map(answer));
  const texts: string[] = [];
  let left = maxBatchLength;
  for (const call of calls) {
    const text = left > 0 ? await answer(call) : tooLong(call);
    left -= text.length;
    texts.push(text);
  }
  return texts;
}

/**
 * Carries out the calls of a request, and puts their answers into text as they come.
 *
 * @throws HttpError if the only call is refused, or the request as a whole is
 */
export async function answerBatch(
  { isSingle, calls }: CallBatch,
  context: CallContext,
  { order, log }: { order: BatchOrder; log: ServiceLog | undefined },
): Promise<BatchReply> {
  const [first] = calls;
  if (isSingle && first) return answerSingle(first, await run(first, context));
  // A batch is answered in JSON, which holds no bytes.
  const inJson = { ...context, takesCompact: false };
  const awaited = calls.filter(({ isNotification }) => !isNotification);
  const texts = await answerEach(awaited, order, (call) => answerOne(call, inJson, log));
  return { type: jsonType, body: encoder.encode(`[${texts.join(',')}]`), block: undefined };
}
