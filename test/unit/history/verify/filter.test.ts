/** Filters of logs: which logs are theirs, and which filters are refused. */
import { expect, test } from 'vitest';
import { type LogFilter, matchLogs } from '../../../../src/history/index.js';
import { word } from '../../../support/anvil.js';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const topic = (n: number) => `0x${word(n)}` as const;

test('a log is given if its contract and its topics are among those asked for', () => {
  const logs = [
    { address: address('a'), topics: [] },
    { address: address('a'), topics: [topic(1)] },
    { address: address('b'), topics: [topic(1), topic(2)] },
    { address: address('c'), topics: [topic(2), topic(2)] },
  ];
  const found = (filter: LogFilter) => matchLogs(logs, filter).map((log) => logs.indexOf(log));
  expect(found({})).toEqual([0, 1, 2, 3]);
  expect(found({ address: address('A') })).toEqual([0, 1]);
  expect(found({ address: [address('b'), address('c')] })).toEqual([2, 3]);
  expect(found({ topics: [topic(1)] })).toEqual([1, 2]);
  expect(found({ topics: [null] })).toEqual([1, 2, 3]);
  expect(found({ topics: [null, topic(2)] })).toEqual([2, 3]);
  expect(found({ topics: [[topic(2), topic(7)], topic(2)], address: address('c') })).toEqual([3]);
  expect(found({ topics: [[], []] })).toEqual([2, 3]);
});

test('a wrong filter is refused, and so is one without bounds', () => {
  const many = (length: number) => Array.from({ length }, (_, i) => topic(i));
  expect(matchLogs([], { topics: [many(1000)] })).toEqual([]);
  const refused: [filter: unknown, name: string, error: typeof TypeError][] = [
    [{ topics: [many(1001)] }, 'topics[0]', RangeError],
    [{ topics: many(5) }, 'topics', RangeError],
    [{ topics: topic(1) }, 'topics', TypeError],
    [{ topics: {} }, 'topics', TypeError],
    [{ topics: [null, address('a')] }, 'topics[1]', RangeError],
    [{ address: [address('a'), topic(1)] }, 'address[1]', RangeError],
    [{ address: 7 }, 'address', TypeError],
    [{ addresses: address('a') }, 'filter.addresses', TypeError],
    [undefined, 'filter', TypeError],
  ];
  for (const [filter, name, error] of refused) {
    const check = () => matchLogs([], filter as LogFilter);
    expect(check).toThrow(error);
    expect(check).toThrow(`"${name}"`);
  }
});
