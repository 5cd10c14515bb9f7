/** The answers to the calls of a request. */
import type { Batch, Prepared } from './batch.js';
import type { ServiceLog } from './log.js';
import type { Answer, Manner } from './method.js';
import { Refusal, refusalOf } from './refusal.js';

export interface BatchAnswer {
  /** JSON, or the bytes of a compact proof. */
  readonly body: string | Uint8Array;
  /** The block that a single call was answered for. */
  readonly block: number | undefined;
}

async function run({ work }: Prepared, manner: Manner): Promise<Answer> {
  if (work instanceof Refusal) throw work;
  await manner.pause();
  return work(manner);
}

const textOf = ({ id }: Prepared, { result }: Answer): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

/** The answer to one of several calls: what it was refused for does not concern the others. */
async function answerOne(call: Prepared, manner: Manner, log?: ServiceLog): Promise<string> {
  try {
    return textOf(call, await run(call, manner));
  } catch (error) {
    // Another status than 200 is about the request as a whole: time is up, or the client went away.
    if (error instanceof Refusal && error.status !== 200) throw error;
    const { code, message } = refusalOf(error, log);
    return JSON.stringify({ jsonrpc: '2.0', id: call.id, error: { code, message } });
  }
}

/**
 * Carries out the calls of a request one after the other, and puts their answers into text as they come.
 *
 * @throws Refusal if the only call is refused, or the request as a whole is
 */
export async function answerBatch(
  { isSingle, calls }: Batch,
  manner: Manner,
  log?: ServiceLog,
): Promise<BatchAnswer> {
  const [first] = calls;
  if (isSingle && first) {
    const answer = await run(first, manner);
    const { result, block } = answer;
    return { body: result instanceof Uint8Array ? result : textOf(first, answer), block };
  }
  // Bytes have no place among the others.
  const inJson = { ...manner, takesCompact: false };
  const texts: string[] = [];
  for (const call of calls) {
    if (!call.isNotification) texts.push(await answerOne(call, inJson, log));
  }
  return { body: `[${texts.join(',')}]`, block: undefined };
}
