/** Random edits of what a node answers: the outcome is a refusal, or what the node says; never another answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../src/anchor/index.js';
import { openObject } from '../../src/foreign/shape.js';
import { type HistoryView, openViews } from '../../src/history/client/view.js';
import { type Work, whileAsked } from '../../src/history/client/work.js';
import {
  type BlockHeader,
  HistoryError,
  verifyHeaders,
  verifyReceipts,
  verifyTransactions,
} from '../../src/history/index.js';
import { checkFilter } from '../../src/history/verify/filter.js';
import { encodeHeader, parseHeader } from '../../src/mpt/headerFields.js';
import { emitter, mineAllTypes, putEmitter } from '../support/allTypes.js';
import { type Anvil, startAnvil } from '../support/anvil.js';
import { randomOf } from '../support/blocks.js';
import { toHex } from '../support/hex.js';
import { patience, type Wire } from '../support/runs.js';

const runs = process.env.DEEP === undefined ? 600 : 20_000;
const seed = process.env.DEEP === undefined ? 45 : Date.now();

let node: Anvil;
const blocks: Wire[] = [];
const receipts: Wire[][] = [];
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'osaka');
  await putEmitter(node);
  const last = await mineAllTypes(node, 'osaka');
  for (let n = 0; n <= last; n++) {
    const number = `0x${n.toString(16)}`;
    const block = await node.call('eth_getBlockByNumber', number, true);
    // Blobs are 131 kB each, which edits would hardly ever leave.
    blocks.push({ ...block, transactions: block.transactions.filter(({ blobs }: Wire) => !blobs) });
    receipts.push(await node.call('eth_getBlockReceipts', number));
  }
}, patience);
afterAll(() => node.close());

type Random = (limit: number) => number;

/** The places of all values in an answer. */
function placesOf(value: Wire, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, item]) => placesOf(item, [...path, name])),
  ];
}

function changed(value: Wire, random: Random): unknown {
  const kind = random(6);
  if (Array.isArray(value)) {
    const at = random(value.length + 1);
    if (kind < 2) return value.filter((_, i) => i !== at);
    if (kind < 4) return [...value.slice(0, at), value[random(value.length)], ...value.slice(at)];
    return [...value].reverse();
  }
  if (typeof value !== 'string' || kind === 0) return [null, '0x', '0x1', {}, [], 7][random(6)];
  const at = 2 + random(Math.max(1, value.length - 2));
  if (kind < 4) return value.slice(0, at) + random(16).toString(16) + value.slice(at + 1);
  if (kind === 4) return value.slice(0, at) + value.slice(at + 1);
  return `0x0${value.slice(2)}`;
}

/** A copy with one value changed, or left out. */
function edited(answer: Wire, random: Random): Wire {
  const places = placesOf(answer).slice(1);
  const path = places[random(places.length)] as (string | number)[];
  const copy = structuredClone(answer);
  const last = path.at(-1) as string;
  const parent = path.slice(0, -1).reduce((at: Wire, name) => at[name], copy);
  if (!Array.isArray(parent) && random(8) === 0) delete parent[last];
  else parent[last] = changed(parent[last], random);
  return copy;
}

test(
  'no edit leads to another answer',
  () => {
    const random = randomOf(seed);
    const { hash } = blocks.at(-1);
    const headers = verifyHeaders(blocks, { hash });
    const plain = [1, 5];
    const subjects = [
      {
        answer: blocks.map((block) => ({ ...block, transactions: [] })),
        verify: (answer: Wire) => verifyHeaders(answer, { hash }),
      },
      ...[1, 3, 5].map((n) => ({
        answer: receipts[n] as Wire,
        verify: (answer: Wire) => verifyReceipts(answer, headers[n] as BlockHeader) as unknown,
      })),
      ...plain.map((n) => ({
        answer: blocks[n].transactions,
        verify: (answer: Wire) => verifyTransactions(answer, headers[n] as BlockHeader) as unknown,
      })),
    ].map((one) => ({ ...one, honest: JSON.stringify(one.verify(one.answer)) }));
    let refused = 0;
    let unread = 0;
    for (let i = 0; i < runs; i++) {
      const { answer, verify, honest } = subjects[random(subjects.length)] as (typeof subjects)[0];
      const edit = edited(answer, random);
      try {
        // The same: the value is not read, or means the same.
        expect(JSON.stringify(verify(edit)), `edit ${i}, seed ${seed}`).toBe(honest);
        unread++;
      } catch (error) {
        if (!(error instanceof HistoryError)) throw error;
        refused++;
      }
    }
    expect(refused + unread).toBe(runs);
    expect(refused).toBeGreaterThan(runs / 3);
    expect(unread).toBeGreaterThan(runs / 20);
  },
  patience,
);

/** The header of a block, as a server answers it in a range. */
const encodedOf = (block: Wire) => toHex(encodeHeader(parseHeader(openObject(block, ''))));

/** How many answers a question took, and what was answered; undefined if it was refused. */
interface Outcome {
  readonly answered: number;
  readonly text: string | undefined;
}

/** A server that holds the blocks. @param hasRanges whether it is one of ours */
const answerOf =
  (hasRanges: boolean) =>
  (method: string, [named, second]: Wire[]): Wire => {
    const at = String(named).length === 66 ? blocks.find(({ hash }) => hash === named) : undefined;
    const number = Number(at?.number ?? named);
    if (method === 'eth_getBlockReceipts') return receipts[number];
    if (method === 'eth_getTransactionByHash') {
      return blocks.flatMap(({ transactions }) => transactions).find(({ hash }) => hash === named);
    }
    if (method !== 'l2_getHeaders') {
      return second === true ? blocks[number] : { ...blocks[number], transactions: [] };
    }
    if (!hasRanges) throw Object.assign(new Error('no such method'), { code: -32601 });
    return Array.from({ length: Number(second) }, (_, i) => encodedOf(blocks[number - i]));
  };

test(
  'no edit of what a client is answered leads to other logs, receipts or transactions',
  async () => {
    const random = randomOf(seed);
    const last = blocks.length - 1;
    const hash = blocks[5].transactions[0].hash;
    const filter = checkFilter({ address: emitter });
    const questions: ((view: HistoryView, work: Work) => Promise<unknown>)[] = [
      (view, work) => view.logs({ filter, range: { from: 4, to: last } }, work),
      (view, work) => view.logs({ filter, range: { hash: blocks[5].hash } }, work),
      (view, work) => view.receipts({ number: 5 }, work),
      (view, work) => view.transaction(hash, work),
      (view, work) => view.receipt(hash, work),
    ];
    /** Asks a question of a server that edits one answer of those it gives. */
    async function askEdited(question: number, hasRanges: boolean, at: number): Promise<Outcome> {
      let answered = 0;
      const answer = answerOf(hasRanges);
      const view = openViews({
        l2: {
          call: async (method, params) => {
            const honest = answer(method, params as Wire[]);
            return answered++ === at ? edited(honest, random) : structuredClone(honest);
          },
        },
        readSlots: async (_anchor, { storageKeys }) => [blocks[Number(storageKeys[0])].hash],
        maxBlocks: 99,
        maxRange: 99,
      })({ l2BlockNumber: last + 1, stateRoot: hash, hash: 'poseidon2' } as AnchoredRoot);
      try {
        const ask = questions[question] as (typeof questions)[0];
        const text = JSON.stringify(await whileAsked(undefined, (work) => ask(view, work)));
        return { answered, text };
      } catch (error) {
        if (!(error instanceof HistoryError)) throw error;
        return { answered, text: undefined };
      }
    }
    const honest: { question: number; hasRanges: boolean; answered: number; text: unknown }[] = [];
    for (const question of questions.keys()) {
      for (const hasRanges of [false, true]) {
        const outcome = await askEdited(question, hasRanges, -1);
        expect(outcome.text?.length).toBeGreaterThan(100);
        honest.push({ question, hasRanges, ...outcome });
      }
    }
    let refused = 0;
    for (let i = 0; i < runs; i++) {
      const asked = honest[random(honest.length)] as (typeof honest)[0];
      const { question, hasRanges, answered } = asked;
      const { text } = await askEdited(question, hasRanges, random(answered));
      if (text === undefined) refused++;
      else expect(text, `edit ${i}, seed ${seed}`).toBe(asked.text);
    }
    expect(refused).toBeGreaterThan(runs / 4);
  },
  patience,
);
