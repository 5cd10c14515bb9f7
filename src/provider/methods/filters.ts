/** Filters: a client asks again and again, and is told what is new. */
import { encodeHex, type Hex } from '../../bytes.js';
import { toQuantity } from '../../foreign/values.js';
import { LruCache } from '../../lru.js';
import { invalidParams, ProviderError } from '../params/errors.js';
import { type ReadLogQuestion, readLogQuestion } from '../params/historyParams.js';
import type { Params } from '../params/params.js';
import type { ProvenHistory } from '../state/histories.js';
import { findLogs, historyMethod } from './blocks.js';
import type { ProvenAnswer, ProvenMethod } from './methods.js';

/** Filters at once: of more, the one that was asked longest ago is forgotten. */
const maxFilters = 256;

/** Ms after which a filter that nobody asks is forgotten, as nodes have it. */
const maxIdle = 300_000;

interface Filter {
  /** Undefined: blocks are told. */
  readonly question: ReadLogQuestion | undefined;
  /** The last block that was told about. */
  told: number;
  askedAt: number;
  /** Questions are answered one after the other, so that nothing is told twice. */
  turn: Promise<unknown>;
}

/** What a filter tells next: at most `maxRange` blocks; the next question goes on from there. */
async function tellNext(
  filter: Filter,
  history: ProvenHistory,
  maxRange: number,
): Promise<unknown[]> {
  const { view, work, newest } = history;
  const { question, told } = filter;
  const range = question && !('hash' in question.range) ? question.range : undefined;
  const from = Math.max(told + 1, range?.from ?? 0);
  const to = Math.min(newest, from + maxRange - 1, range?.to ?? Number.POSITIVE_INFINITY);
  if (from > to) return [];
  const found = question
    ? await findLogs({ filter: question.filter, range: { from, to } }, history)
    : (await view.headers({ from, to }, work)).map(({ hash }) => hash);
  filter.told = to;
  return found;
}

const unknownFilter = () =>
  new ProviderError(-32000, 'filter not found', {
    data: { reason: 'UNKNOWN_FILTER', path: undefined, block: undefined },
  });

/** A number that nobody guesses: the filters of one provider may have several owners. */
const newId = (): Hex => toQuantity(BigInt(encodeHex(crypto.getRandomValues(new Uint8Array(16)))));

/** @param maxRange most blocks that are told about at once */
export function createFilterMethods(maxRange: number): [string, ProvenMethod<ProvenAnswer>][] {
  const filters = new LruCache<string, Filter>(maxFilters);

  function forgetIdle(): void {
    const now = performance.now();
    // Copied, for the keys change on the way.
    for (const id of [...filters.keys()]) {
      const filter = filters.get(id) as Filter;
      if (now - filter.askedAt > maxIdle) filters.delete(id);
    }
  }

  function add(question: ReadLogQuestion | undefined, { newest }: ProvenHistory): Hex {
    const id = newId();
    const askedAt = performance.now();
    filters.set(id, { question, told: newest, askedAt, turn: Promise.resolve() });
    return id;
  }

  function find(id: string): Filter {
    forgetIdle();
    const filter = filters.get(id);
    if (filter === undefined) throw unknownFilter();
    filter.askedAt = performance.now();
    return filter;
  }

  const readId = ([id]: Params): string => {
    if (typeof id !== 'string') throw invalidParams('params[0] expected a filter');
    return id.toLowerCase();
  };

  return [
    [
      'eth_newFilter',
      historyMethod(1, (params) => {
        const question = readLogQuestion(params[0], 'params[0]');
        if ('hash' in question.range) {
          throw invalidParams('params[0].blockHash names a block that does not change');
        }
        return async (history) => add(question, history);
      }),
    ],
    ['eth_newBlockFilter', historyMethod(0, () => async (history) => add(undefined, history))],
    [
      'eth_getFilterChanges',
      historyMethod(1, (params) => {
        const id = readId(params);
        return (history) => {
          const filter = find(id);
          const next = () => tellNext(filter, history, maxRange);
          const answer = filter.turn.then(next, next);
          filter.turn = answer.catch(() => {});
          return answer;
        };
      }),
    ],
    [
      'eth_getFilterLogs',
      historyMethod(1, (params) => {
        const id = readId(params);
        return async (history) => {
          const { question } = find(id);
          if (question === undefined) throw unknownFilter();
          return findLogs(question, history);
        };
      }),
    ],
    [
      'eth_uninstallFilter',
      historyMethod(1, (params) => {
        const id = readId(params);
        return async () => {
          const isKnown = filters.get(id) !== undefined;
          filters.delete(id);
          return isKnown;
        };
      }),
    ],
  ];
}
