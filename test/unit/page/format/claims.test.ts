import { expect, test } from 'vitest';
import {
  parseAddress,
  parseAmount,
  parseBlock,
  parseDecimals,
  parseHash,
  parseIds,
  parsePicture,
  parseSeconds,
} from '../../../../src/page/format/claims.js';

const readers = {
  parseAmount,
  parseDecimals,
  parseBlock,
  parseAddress,
  parseHash,
  parseSeconds,
  parseIds,
  parsePicture,
};
type Reader = keyof typeof readers;

const address = `0x${'aB'.repeat(20)}`;
const hash = `0x${'Cd'.repeat(32)}`;
const picture = 'data:image/svg+xml;base64,PHN2Zy8+';

test.each<[Reader, unknown, unknown]>([
  ['parseAmount', '0', 0n],
  ['parseAmount', '340282366920938463463374607431768211456', 2n ** 128n],
  ['parseDecimals', 0, 0],
  ['parseDecimals', 77, 77],
  ['parseBlock', 12, 12],
  ['parseAddress', address, address.toLowerCase()],
  ['parseHash', hash, hash.toLowerCase()],
  ['parseSeconds', '1970-01-01T00:00:10Z', 10],
  ['parseSeconds', '2026-11-27T07:07:01.900Z', 1795763221],
  ['parseIds', 'ALL', 'all'],
  ['parseIds', '1', [1n]],
  ['parseIds', '1,20', [1n, 20n]],
  ['parsePicture', picture, picture],
])('%s reads %j', (name, given, expected) => {
  expect(readers[name](given)).toEqual(expected);
});

test.each<[Reader, ...unknown[]]>([
  ['parseAmount', undefined, null, 1, '', '-1', '1.5', '0x1', ' 1', '1'.repeat(79), '١'],
  ['parseDecimals', undefined, null, '6', -1, 1.5, 78, Number.NaN],
  ['parseBlock', undefined, '1', -1, 0.5, 2 ** 53, Infinity],
  ['parseAddress', undefined, null, 'nobody', hash, address.slice(1), `${address}\n`],
  ['parseHash', undefined, null, address, `${hash}00`],
  ['parseSeconds', undefined, null, 0, '', 'now', '2026-13-01T00:00:00Z', '1969-12-31T23:59:59Z'],
  ['parseIds', undefined, null, '', 'all', ',', '1,', '1, 2', '1.5', 'x'],
  [
    'parsePicture',
    ...[undefined, null, 1, 'https://a.example/a.png', 'data:text/html,<script>', 'javascript:x'],
    `data:image/png;base64,${'A'.repeat(1024 * 1024)}`,
  ],
])('%s takes nothing else', (name, ...given) => {
  for (const one of given) expect([one, readers[name](one)]).toEqual([one, undefined]);
});
