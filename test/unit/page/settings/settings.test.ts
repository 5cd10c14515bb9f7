import { expect, test } from 'vitest';
import { checkSettings, completeSettings } from '../../../../src/page/settings/settings.js';

const base = 'https://page.example/explorer/index.html';
const digits = `0x${'AB'.repeat(32)}`;

test('URLs of a server are relative to the page', () => {
  const given = {
    network: { l1ChainId: 1 },
    l1: ['https://l1.example', 'http://127.0.0.1:8545'],
    proofs: '/v3/key',
    node: 'http://localhost:8546',
    data: { url: '/', key: '', chain: 'devnet' },
    fork: 'prague',
    trust: { how: 'proof', blockHash: digits },
  };
  expect(checkSettings(given, base)).toEqual({
    network: { l1ChainId: 1 },
    l1: ['https://l1.example/', 'http://127.0.0.1:8545/'],
    proofs: 'https://page.example/v3/key',
    node: 'http://localhost:8546/',
    data: { url: 'https://page.example', key: undefined, chain: 'devnet' },
    fork: 'prague',
    trust: { how: 'proof', blockHash: digits.toLowerCase() },
  });
});

test('a page that comes by http may ask its own server', () => {
  const at = 'http://10.1.1.1:8080/';
  expect(checkSettings({ proofs: '/v3/' }, at).proofs).toBe('http://10.1.1.1:8080/v3/');
  expect(() => checkSettings({ proofs: 'http://10.1.1.2/' }, at)).toThrow(
    'L2 endpoint: expected an https URL, or http on this machine',
  );
});

test.each([
  [undefined, 'settings: expected an object'],
  [{ network: 'linea' }, 'network: expected mainnet, sepolia or its members'],
  [{ l1: 'https://l1.example' }, 'L1: expected a list of URLs'],
  [{ l1: ['https://a.example', 'ftp://b.example'] }, 'L1 endpoint 2: expected an https URL'],
  [{ proofs: 'javascript:alert(1)' }, 'L2 endpoint: expected an https URL'],
  [{ proofs: 7 }, 'L2 endpoint: expected an https URL'],
  [{ node: 'http://l2.example' }, 'L2 node: expected an https URL'],
  [{ data: { url: 'https://d.example' } }, 'chain: expected text'],
  [{ fork: '' }, 'fork: expected text'],
  [{ trust: { how: 'faith' } }, 'trust: expected call, quorum, proof or consensus'],
  [
    { trust: { how: 'proof', blockHash: '0x12' } },
    'hash of L1 block: expected 0x and 64 hex digits',
  ],
  [{ trust: { how: 'consensus', api: 'https://b.example' } }, 'checkpoint: expected 0x'],
])('%j is refused by the name of what is wrong', (given, message) => {
  expect(() => checkSettings(given, base)).toThrow(message);
});

test('two endpoints are the least that the page needs', () => {
  expect(completeSettings({})).toBeUndefined();
  expect(completeSettings({ l1: ['https://l1.example/'] })).toBeUndefined();
  expect(completeSettings({ l1: [], proofs: 'https://l2.example/' })).toBeUndefined();
  expect(completeSettings({ l1: ['https://l1.example/'], proofs: 'https://l2.example/' })).toEqual({
    network: 'mainnet',
    l1: ['https://l1.example/'],
    proofs: 'https://l2.example/',
    node: undefined,
    data: undefined,
    fork: undefined,
    trust: { how: 'call' },
  });
});

test('what has no scheme is no path of the page’s own server, which would get the key in it', () => {
  for (const proofs of ['l1.example/v3/key', '', '//l1.example/', 'https:l1.example', '\\l1']) {
    expect(() => checkSettings({ proofs }, base)).toThrow('L2 endpoint: expected an https URL');
  }
  expect(() => checkSettings({ proofs: 'https://me:secret@l2.example/' }, base)).toThrow(
    'L2 endpoint: expected a URL without a user',
  );
  expect(checkSettings({ proofs: './v3/' }, base).proofs).toBe('https://page.example/explorer/v3/');
});
