/** What an operator may tell the explorer, and how a mistake in it is named. */
import { expect, test } from 'vitest';
import { networks } from '../../../../src/anchor/index.js';
import { type PageSettings, toSettingsText } from '../../../../src/service/page/settings.js';

const own = {
  name: 'mine',
  l1ChainId: 1337,
  l2ChainId: 31337,
  rollup: `0x${'10'.repeat(20)}`,
  method: 'l2_getProof',
  forks: { prague: 0 },
} as const;

test('what is right is published as it was given, member by member', () => {
  const given: PageSettings[] = [
    {},
    { network: 'mainnet' },
    { network: 'sepolia', l1: [], fork: 'osaka' },
    {
      network: own,
      l1: ['https://a.example/v3/KEY?x=1', 'http://127.0.0.1:8545', 'http://localhost/'],
    },
    { network: networks.mainnet },
    { network: { ...own, beacon: { genesisTime: 1 } } },
    { proofs: '/v3/', node: 'http://localhost:8545', data: { url: '/', chain: 'l2' } },
    { proofs: 'v3/KEY', data: { url: '.', key: 'k', chain: 'linea-mainnet' } },
    { proofs: 'https://user.example:8443/x', data: { url: './x/y', chain: 'x' } },
    { l1: Array.from({ length: 16 }, (_, i) => `https://${i}.example`) },
    { proofs: '?x', l1: ['', '#'].map((end) => `https://a.example/${end}`) },
  ];
  for (const settings of given) {
    expect(JSON.parse(toSettingsText(settings))).toEqual(JSON.parse(JSON.stringify(settings)));
  }
  // Members without a value are none.
  expect(toSettingsText({ network: undefined, fork: 'prague' } as never)).toBe('{"fork":"prague"}');
});

test.each<[unknown, string]>([
  [null, '"page" expected an object'],
  [1, '"page" expected an object'],
  ['{}', '"page" expected an object'],
  [[1], '"page.0" is unknown'],
  [{ networks: 'mainnet' }, '"page.networks" is unknown; did you mean "network"?'],
  [JSON.parse('{"__proto__": {"fork": "prague"}}'), '"page.__proto__" is unknown'],
  [{ trust: { how: 'call' } }, '"page.trust" is unknown'],
  [{ network: 'linea' }, '"page.network" expected "mainnet", "sepolia" or an object, got "linea"'],
  [{ network: 1 }, '"page.network" expected "mainnet", "sepolia" or an object, got number 1'],
  [
    { network: { ...own, beacon: 'https://secret.example/' } },
    '"page.network.beacon" expected an object, got ',
  ],
  [{ network: null }, '"page.network" expected "mainnet", "sepolia" or an object, got null'],
  [
    { network: { ...own, rollup: '0x1' } },
    '"page.network" describes no network: "rollup" expected 0x',
  ],
  [
    { network: { ...own, rolup: '0x1' } },
    '"page.network" describes no network: "network.rolup" is unknown',
  ],
  [{ l1: 'https://a.example' }, '"page.l1" expected an array, got string'],
  [{ l1: ['https://a.example', 'ftp://secret.example'] }, '"page.l1[1]" expected a URL: relative'],
  [{ l1: [1] }, '"page.l1[0]" expected text, got number 1'],
  [{ l1: Array(17).fill('/x') }, '"page.l1" expected at most 16 URLs'],
  [{ proofs: '' }, '"page.proofs" expected 1 to 2048 characters'],
  [{ proofs: `/${'x'.repeat(2048)}` }, '"page.proofs" expected 1 to 2048 characters'],
  [{ proofs: null }, '"page.proofs" expected text, got null'],
  [{ data: null }, '"page.data" expected an object { url, key, chain }, got null'],
  [{ data: { chain: 'l2' } }, '"page.data.url" expected text, got undefined'],
  [{ data: { url: '/' } }, '"page.data.chain" expected text, got undefined'],
  [{ data: { url: '/', chain: '' } }, '"page.data.chain" expected 1 to 2048 characters'],
  [{ data: { url: '/', chain: 'l2', key: 7 } }, '"page.data.key" expected text, got number 7'],
  [
    { data: { url: '/', chain: 'l2', kye: 'k' } },
    '"page.data.kye" is unknown; known: url, key, chain',
  ],
  [{ fork: 'Prague' }, '"page.fork" expected one of london, '],
  [{ fork: 'amsterdam' }, '"page.fork" expected one of london, '],
  [{ fork: { toString: 'prague' } }, '"page.fork" expected one of london, '],
  [
    {
      proofs: '/x',
      l1: Array(16).fill('/'.padEnd(2048, 'x')),
      data: { url: '/', chain: 'x'.repeat(70_000) },
    },
    '"page" expected at most 65536 characters',
  ],
])('%j is refused', (given, message) => {
  let text = '';
  try {
    toSettingsText(given as PageSettings);
  } catch (error) {
    text = (error as Error).message;
    expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
  }
  expect(text.slice(0, message.length)).toBe(message);
  // It may hold a key.
  expect(text).not.toContain('secret');
});

test.each([
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ws://a.example',
    'wss://a.example',
  ],
  ...[
    'http://a.example',
    'http://10.0.0.1',
    'http://[::1]:8545',
    'http://127.0.0.1.example',
    'http://localhost.example',
  ],
  ...[
    '//a.example/v3/',
    '\\\\a.example',
    '/\\a.example',
    'https:a.example',
    'https:/a.example',
    'http:8545',
  ],
  ...[
    'https://user:secret@a.example',
    'https://secret@a.example',
    'https://',
    'http://',
    'about:blank',
  ],
  ...[
    'https://page.invalid@a.example',
    'blob:https://a.example/x',
    '\thttp://a.example',
    'ht\ntp://a.example',
  ],
])('%j is no URL that the page may ask', (url) => {
  const expected =
    /^"page\.(proofs|node|data\.url|l1\[0\])" expected a URL: relative to the page, https, or http on/;
  for (const settings of [
    { proofs: url },
    { node: url },
    { l1: [url] },
    { data: { url, chain: 'l2' } },
  ]) {
    expect(() => toSettingsText(settings)).toThrow(expected);
  }
});

test('they are read once, and refused if they are no JSON', () => {
  let asked = 0;
  const computed = {
    get proofs() {
      asked += 1;
      return asked === 1 ? '/v3/' : 'ftp://a.example';
    },
  };
  expect(toSettingsText(computed)).toBe('{"proofs":"/v3/"}');
  const circle: { network?: unknown } = {};
  circle.network = circle;
  expect(() => toSettingsText(circle as PageSettings)).toThrow('"page" cannot be written as JSON');
  expect(() => toSettingsText({ fork: 1n } as never)).toThrow('"page" cannot be written as JSON');
});
