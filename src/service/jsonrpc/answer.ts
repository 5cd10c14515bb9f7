/** The answers to the calls of a request. */
import { isBytes } from '../../bytes.js';
import { compactType, jsonType } from '../../rpc/mediaType.js';
import { type BodyPiece, bodyLength, type HttpBody } from '../http/http.js';
import { codes, HttpError, toErrorObject, toHttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { CallBatch, Prepared } from './batch.js';
import type { CallId } from './call.js';
import { type Answer, type CallContext, JsonText } from './method.js';

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

/** Whether an id is ASCII in JSON: most are numbers. */
const isPlain = (id: CallId): boolean => typeof id !== 'string' || /^[ -~]*$/.test(id);

const encoded = (json: object): BodyPiece => encoder.encode(JSON.stringify(json));

/** The answer to a call. What is written already is not copied, and so costs the garbage collector nothing. */
function bodyOf({ id }: Prepared, { result }: Answer): HttpBody {
  if (!(result instanceof JsonText)) return [encoded({ jsonrpc: '2.0', id, result })];
  const opening = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
  return [isPlain(id) ? opening : encoder.encode(opening), ...result.pieces, '}'];
}

/** The answer to the only call of a request. */
function answerSingle(call: Prepared, answer: Answer): BatchReply {
  const { result, block } = answer;
  if (isBytes(result)) return { type: compactType, body: [result], block };
  return { type: jsonType, body: bodyOf(call, answer), block };
}

/** A refusal as JSON-RPC has it. */
export const refusalOf = (id: CallId, refusal: HttpError): HttpBody => [
  encoded({ jsonrpc: '2.0', id, error: toErrorObject(refusal) }),
];

/** The answer to one of several calls: a refusal does not affect the others. */
async function answerOne(
  call: Prepared,
  context: CallContext,
  log?: ServiceLog,
): Promise<HttpBody> {
  try {
    return bodyOf(call, await run(call, context));
  } catch (error) {
    // Another status than 200 is about the request as a whole: time is up, or the client went away.
    if (error instanceof HttpError && error.status !== 200) throw error;
    return refusalOf(call.id, toHttpError(error, log));
  }
}

/** How the calls of a batch are carried out: proofs keep this process busy, questions to other servers only wait. */
export type BatchOrder = 'in turn' | 'together';

/** Bytes of answers in a batch, after which no other call is carried out. */
const maxBatchLength = 16 * 1024 * 1024;

const tooLong = ({ id }: Prepared): HttpBody =>
  refusalOf(
    id,
    new HttpError(codes.limitExceeded, 'the answers of the batch are too long; send fewer calls'),
  );

/** @returns the answers in the order of the calls */
async function answerEach(
  calls: readonly Prepared[],
  order: BatchOrder,
  answer: (call: Prepared) => Promise<HttpBody>,
): Promise<HttpBody[]> {
  if (order === 'together') return Promise.all(calls.map(answer));
  const answers: HttpBody[] = [];
  let left = maxBatchLength;
  for (const call of calls) {
    const body = left > 0 ? await answer(call) : tooLong(call);
    left -= bodyLength(body);
    answers.push(body);
  }
  return answers;
}

/**
 * Carries out the calls of a request, and puts their answers into one body as they come.
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
  const answers = await answerEach(awaited, order, (call) => answerOne(call, inJson, log));
  const body = answers.flatMap((pieces, i) => [i === 0 ? '[' : ',', ...pieces]);
  return { type: jsonType, body: [...body, ']'], block: undefined };
}
