/** The documents that are kept: which are fetched, how often, and for how long. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import type { Documents, TokenUrl } from '../../../../src/service/documents/documents.js';
import { readNftMetadata } from '../../../../src/service/documents/nftMetadata.js';
import { type DocumentHosts, startDocumentHosts } from '../../../support/documentHosts.js';
import { patience } from '../../../support/runs.js';

const contract: Hex = `0x${'c0'.repeat(20)}`;
const other: Hex = `0x${'c1'.repeat(20)}`;

const opened: DocumentHosts[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const hosts of opened.splice(0)) await hosts.close();
});

async function open(options: { ipfs?: string; arweave?: string } = {}) {
  const hosts = await startDocumentHosts(({ url = '' }, response) => {
    if (url.startsWith('/silent')) return;
    if (url.startsWith('/bad')) response.writeHead(500).end();
    else response.end(JSON.stringify({ name: `at ${url} {id}` }));
  });
  opened.push(hosts);
  const { resolve, connect } = hosts;
  const metadata = readNftMetadata({ http: true, resolve, connect, ...options });
  return { hosts, documents: metadata.openDocuments() };
}

const token = (url: string, id = 1n, more: Partial<TokenUrl> = {}): TokenUrl => ({
  ...{ contract, id, url, standard: 'erc721', block: 7 },
  ...more,
});

/** Fetches what is missing, as a request does. */
const load = (documents: Documents, tokens: readonly TokenUrl[]) =>
  documents.load(documents.missing(tokens));

/** The names that a document is known by. */
const nameOf = (documents: Documents, one: TokenUrl) => documents.find(one)?.name;

test('a document is fetched once, and only if that is asked for', async () => {
  const { hosts, documents } = await open();
  const one = token('http://a.example/1');
  expect(nameOf(documents, one)).toBeUndefined();
  expect(documents.revision).toBe(0);
  await Promise.all([load(documents, [one, one]), load(documents, [one])]);
  expect(nameOf(documents, one)).toBe('at /1 {id}');
  expect(documents.revision).toBeGreaterThan(0);
  const { revision } = documents;
  await load(documents, [one]);
  expect(hosts.asked).toHaveLength(1);
  expect(documents.revision).toBe(revision);
  // Another id, another contract and another URL are other documents.
  for (const next of [{ id: 2n }, { contract: other }, { url: 'http://a.example/2' }]) {
    expect(nameOf(documents, { ...one, ...next })).toBeUndefined();
  }
  expect(documents.ofContract(contract)).toMatchObject([{ ...one, document: { attributes: [] } }]);
  expect(Math.abs((documents.ofContract(contract)[0]?.time ?? 0) - Date.now() / 1000)).toBeLessThan(
    patience / 1000,
  );
  expect(documents.ofContract(other)).toEqual([]);
});

test('a request fetches twenty at most, and the next one goes on', async () => {
  const { hosts, documents } = await open();
  const all = Array.from({ length: 25 }, (_, i) => token(`http://a${i}.example/${i}`, BigInt(i)));
  await load(documents, all);
  expect(hosts.asked).toHaveLength(20);
  await load(documents, all);
  expect(hosts.asked).toHaveLength(25);
  expect(documents.ofContract(contract)).toHaveLength(25);
});

test('a failure is remembered for ten minutes', async () => {
  const { hosts, documents } = await open();
  const bad = token('http://a.example/bad');
  await load(documents, [bad]);
  await load(documents, [bad]);
  expect(hosts.asked).toHaveLength(1);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 590_000);
  await load(documents, [bad]);
  expect(hosts.asked).toHaveLength(1);
  clock.mockReturnValue(now + 601_000);
  await load(documents, [bad]);
  expect(hosts.asked).toHaveLength(2);
});

test('a timer that rings a moment early ends the waiting as well', async () => {
  const { documents } = await open();
  const slow = Array.from({ length: 6 }, (_, i) =>
    token(`http://slow${i}.example/silent`, BigInt(i)),
  );
  const missing = documents.missing(slow);
  // Timers and the clock do not agree to the millisecond: by the clock, time is not up yet.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const waiting = documents.load(missing);
    await vi.advanceTimersByTimeAsync(7000);
    expect(await waiting).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

test(
  'slow servers keep a request six seconds, and are known as slow',
  async () => {
    const { hosts, documents } = await open();
    const slow = Array.from({ length: 6 }, (_, i) =>
      token(`http://slow${i}.example/silent`, BigInt(i)),
    );
    const fine = token('http://fine.example/1', 9n);
    await load(documents, [...slow, fine]);
    // The first four failed after five seconds; then those behind them had their turn.
    expect(hosts.asked).toHaveLength(7);
    expect(nameOf(documents, fine)).toBe('at /1 {id}');
    const before = hosts.asked.length;
    await load(documents, slow.slice(0, 4));
    expect(hosts.asked).toHaveLength(before);
  },
  patience,
);

describe('what has no server', () => {
  test('ipfs: and ar: are fetched by their gateways', async () => {
    const { hosts, documents } = await open({
      ipfs: 'http://ipfs.example/ipfs',
      arweave: 'http://ar.example',
    });
    const tokens = [token('ipfs://bafy/1'), token('ar://abc', 2n)];
    await load(documents, tokens);
    expect(tokens.map((one) => nameOf(documents, one))).toEqual([
      'at /ipfs/bafy/1 {id}',
      'at /abc {id}',
    ]);
    expect([...hosts.resolved].sort()).toEqual(['ar.example', 'ipfs.example']);
  });

  test('other schemes, and these without a gateway, are not fetched', async () => {
    const { hosts, documents } = await open();
    const urls = ['ipfs://bafy/1', 'ar://abc', 'file:///etc/passwd', 'javascript:1', '', 'x'];
    await load(
      documents,
      urls.map((url, i) => token(url, BigInt(i))),
    );
    expect([hosts.resolved, documents.ofContract(contract)]).toEqual([[], []]);
  });

  test('data: needs neither switch nor fetching', async () => {
    const { documents } = { documents: readNftMetadata(undefined).openDocuments() };
    const one = token('data:application/json,{"name":"inside"}');
    expect(nameOf(documents, one)).toBe('inside');
    expect(documents.ofContract(contract)).toHaveLength(1);
    expect(documents.revision).toBe(1);
    expect(nameOf(documents, one)).toBe('inside');
    expect(documents.revision).toBe(1);
    expect(nameOf(documents, token('data:,no'))).toBeUndefined();
    await load(documents, [token('http://a.example/1')]);
    expect(nameOf(documents, token('http://a.example/1'))).toBeUndefined();
  });
});

test('the id of an ERC-1155 token is put into URL and texts as 64 digits, and of no other', async () => {
  const { hosts, documents } = await open();
  const url = 'http://a.example/{id}';
  const digits = '00000000000000000000000000000000000000000000000000000000000000ff';
  const goods = token(url, 255n, { standard: 'erc1155' });
  const deed = token(url, 255n);
  await load(documents, [goods]);
  expect(hosts.asked[0]).toContain(`GET /${digits} `);
  expect(nameOf(documents, goods)).toBe(`at /${digits} ${digits}`);
  await load(documents, [{ ...deed, contract: other }]);
  expect(hosts.asked[1]).toContain('GET /%7Bid%7D ');
});

describe('options', () => {
  test.each<[string, object, string]>([
    ['an unknown one', { gateway: 'x' }, '"nftMetadata.gateway" is unknown'],
    ['no switch', { http: 1 }, '"nftMetadata.http" expected true or false'],
    ['a gateway by http:', { ipfs: 'http://a.example' }, '"nftMetadata.ipfs" expected an https:'],
    ['no URL', { arweave: 'a' }, '"nftMetadata.arweave" expected an https:'],
    ['a template without a URL', { imageProxy: 'https://a.example/' }, '"nftMetadata.imageProxy"'],
    ['a template that is none', { imageProxy: '{url}' }, '"nftMetadata.imageProxy"'],
    ['no function', { resolve: 'a' }, '"nftMetadata" expected an object with functions'],
    [
      'a connection that is none',
      { connect: {} },
      '"nftMetadata" expected an object with functions',
    ],
  ])('%s is refused', (_, options, message) => {
    expect(() => readNftMetadata(options)).toThrow(message);
  });
});
