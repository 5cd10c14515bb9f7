/** Answers of the data interface, as they are sent, and those of a chain that are remembered. */
import { entryBytes, LruCache } from '../../lru.js';
import type { RouteAnswer } from '../jsonrpc/method.js';
import type { BalanceBlock } from './indexHead.js';

const encoder = new TextEncoder();

/**
 * An answer in the envelope of the interface. It is bytes from the start: to join and to encode a long text for each
 * client that asks costs several times what sending it does.
 *
 * @param tag as in {@link RouteAnswer}; without one, the answer may be another one the next time
 */
export const toAnswer = (json: string, tag?: string): RouteAnswer => ({
  body: encoder.encode(`{"data":${json},"error":false,"error_message":null,"error_code":null}`),
  tag,
});

const decoder = new TextDecoder();

/** The data of such an answer. @param Data whatever was given as JSON */
export const dataOf = <Data>({ body }: RouteAnswer): Data =>
  JSON.parse(typeof body === 'string' ? body : decoder.decode(body)).data;

/** The moment at which an answer is asked for. */
export interface AnswerMoment {
  /** Newest blocks of which answers may be. */
  readonly blocks: readonly (BalanceBlock | undefined)[];
  /** How often the node took back what was final; undefined if it was not asked lately. */
  readonly reorgCount: number | undefined;
}

interface KeptAnswer {
  readonly answer: RouteAnswer;
  readonly holds: (moment: AnswerMoment) => boolean;
}

/** Bytes in memory of a chain's answers. */
const maxBytes = 64 * 2 ** 20;

/** Ms for which prices hold, on a chain that stands still. */
const priceTime = 60_000;

const findMinute = () => Math.floor(Date.now() / priceTime);

/** The answers of a chain by name, each as long as it holds. A name has one answer: the last one that was worked out. */
export class AnswerCache {
  readonly #answers = new LruCache<string, KeptAnswer>(
    maxBytes,
    ({ answer: { body } }, name) => entryBytes + body.length + 2 * name.length,
  );

  get(name: string, moment: AnswerMoment): RouteAnswer | undefined {
    const kept = this.#answers.get(name);
    return kept?.holds(moment) ? kept.answer : undefined;
  }

  /** Keeps an answer of a block that may be followed by others. */
  set(name: string, answer: RouteAnswer, block: BalanceBlock): void {
    const { number, hash } = block;
    const minute = findMinute();
    const isSame = (one: BalanceBlock | undefined) => one?.number === number && one.hash === hash;
    const holds = ({ blocks }: AnswerMoment) => blocks.some(isSame) && findMinute() === minute;
    this.#answers.set(name, { answer, holds });
  }

  /** Keeps an answer that never changes, unless the node takes back what was final. */
  setFinal(name: string, answer: RouteAnswer, reorgCount: number): void {
    this.#answers.set(name, { answer, holds: (moment) => moment.reorgCount === reorgCount });
  }
}
