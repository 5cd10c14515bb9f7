import { expect, test } from 'vitest';
import {
  parseRoute,
  type Route,
  routeHref,
  searchRoutes,
} from '../../../../src/page/format/route.js';

const address = `0x${'5e'.repeat(20)}`;
const hash = `0x${'ab'.repeat(32)}`;

const routes: readonly Route[] = [
  { view: 'home' },
  { view: 'trust' },
  { view: 'proof' },
  { view: 'proof', address },
  { view: 'proof', address, slot: hash },
  { view: 'address', subject: address },
  { view: 'call', subject: address },
  { view: 'transaction', subject: hash },
  { view: 'message', subject: hash },
  { view: 'block', subject: '12' },
  { view: 'block', subject: hash },
];

test.each(routes)('%j has a place of its own, which can be shared', (route) => {
  expect(parseRoute(routeHref(route))).toEqual(route);
});

test('subjects are the same in both cases of letters', () => {
  expect(parseRoute(`#/address/0x${'5E'.repeat(20)}`)).toEqual({
    view: 'address',
    subject: address,
  });
  expect(parseRoute('')).toEqual({ view: 'home' });
});

test.each([
  ...['#/address', '#/address/0x12', '#/home', '#/trust/1', '#/block/-1', '#/block/1e3'],
  ...['#/constructor/1', `#/toString/${hash}`, '#/__proto__', `#/address/${address}/x`, '#/#'],
  ...[
    `#/transaction/${address}`,
    '#/proof/0x12',
    `#/proof/${address}/0x1`,
    `#/proof/${address}/${hash}/1`,
  ],
])('%s is no place', (text) => {
  expect(parseRoute(text)).toBeUndefined();
});

test('what is typed leads to all that it may be', () => {
  expect(searchRoutes(` ${address.toUpperCase().replace('0X', '0x')}\n`)).toEqual([
    { view: 'address', subject: address },
  ]);
  expect(searchRoutes(hash).map(({ view }) => view)).toEqual(['transaction', 'block', 'message']);
  expect(searchRoutes("1'234")).toEqual([{ view: 'block', subject: '1234' }]);
  expect(searchRoutes('007')).toEqual([{ view: 'block', subject: '7' }]);
  for (const text of ['', 'vitalik', '0x', `${address}0`, '<script>', '9'.repeat(16)]) {
    expect(searchRoutes(text)).toEqual([]);
  }
});
