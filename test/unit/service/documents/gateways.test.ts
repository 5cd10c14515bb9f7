/** Links of schemes without servers, by the gateways that the operator names. */
import { describe, expect, test } from 'vitest';
import { parseGateway, toLoadable } from '../../../../src/service/documents/gateways.js';

const open = (text: string, allowsHttp = false) => parseGateway(text, { name: 'ipfs', allowsHttp });
const gateways = {
  ipfs: open('https://ipfs.example/ipfs'),
  arweave: open('https://ar.example/'),
};

test.each([
  ['ipfs://bafy/1.json', 'https://ipfs.example/ipfs/bafy/1.json'],
  ['ipfs://QmCase', 'https://ipfs.example/ipfs/QmCase'],
  ['ipfs://ipfs/QmCase/a b?c=d', 'https://ipfs.example/ipfs/QmCase/a%20b?c=d'],
  ['IPFS://bafy', 'https://ipfs.example/ipfs/bafy'],
  ['ar://a_B-c/1', 'https://ar.example/a_B-c/1'],
  ['https://a.example/1', 'https://a.example/1'],
  ['http://a.example/1', 'http://a.example/1'],
])('%s is loaded at %s', (link, url) => {
  expect(toLoadable(link, gateways)).toBe(url);
});

test.each([
  // Nothing beside the gateway's own folder is asked for.
  ...['ipfs://../admin', 'ipfs://bafy/../../admin', 'ipfs://a/%2e%2e/%2e%2e/b', 'ipfs:///etc'],
  ...[
    'ipfs://@evil.example/',
    'ipfs://a.example:80/',
    'ipfs:bafy',
    'ipfs://',
    'ipfs://bafy\\..\\..\\x',
  ],
  ...['ftp://a.example/', 'file:///etc/passwd', 'data:,x', '', 'bafy'],
])('"%s" is not loaded', (link) => {
  expect(toLoadable(link, gateways)).toBeUndefined();
});

test('without a gateway, its scheme is not loaded', () => {
  const none = { ipfs: undefined, arweave: undefined };
  expect(toLoadable('ipfs://bafy', none)).toBeUndefined();
  expect(toLoadable('ar://abc', none)).toBeUndefined();
  expect(parseGateway(undefined, { name: 'ipfs', allowsHttp: false })).toBeUndefined();
});

describe('a gateway is refused', () => {
  test.each([
    ...[
      '',
      'ipfs.example',
      'ftp://a.example/',
      'https://a.example/?k=secret',
      'https://a.example/#k',
    ],
    ...['https://u:secret@a.example/', 'https://a.example:8080/', 'http://a.example/'],
  ])('"%s"', (text) => {
    expect(() => open(text)).toThrow('"ipfs" expected an https: URL at port 80 or 443');
    expect(() => open(text)).not.toThrow('secret');
  });

  test('but for http: if that is allowed', () => {
    expect(open('http://a.example/ipfs/', true)?.href).toBe('http://a.example/ipfs/');
    expect(() => open('ftp://a.example/', true)).toThrow('expected an http: or https: URL');
  });
});
