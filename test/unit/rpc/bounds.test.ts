/** How much of a hostile server's answer is read, whatever was asked; and that the longest true answers are. */

import { readdirSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createRollupContract } from '../../../src/anchor/contract.js';
import { openEndpoint } from '../../../src/anchor/endpoint.js';
import { findFinalizedState } from '../../../src/anchor/hints.js';
import { fetchAnchor, networks } from '../../../src/anchor/index.js';
import type { Call } from '../../../src/evm/call/call.js';
import { createPatientClient } from '../../../src/follow/node/patience.js';
import type { Account, Hex } from '../../../src/index.js';
import { createCodes } from '../../../src/provider/state/codes.js';
import { createHints } from '../../../src/provider/state/hints.js';
import { createLifetime } from '../../../src/provider/state/lifetime.js';
import {
  createProofClient,
  createTransport,
  type TransportOptions,
} from '../../../src/rpc/index.js';
import { contractFinality } from '../../../src/service/index.js';
import { bodyOf, startHttp, type TestServer } from '../../support/http.js';

const kib = 1024;
const mib = 1024 * kib;

const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function against(listener: RequestListener, options: Partial<TransportOptions> = {}) {
  const server = await startHttp(listener);
  open.push(server);
  return createTransport({ url: server.url, timeout: 60_000, ...options });
}

/** Answers as many bytes as it is let, up to 16 MiB, and counts them; or a result that makes the answer so long. */
function lengthy(options: Partial<TransportOptions> = {}) {
  let read = 0;
  const fetch = async (): Promise<Response> => {
    const chunk = new Uint8Array(4 * kib).fill(0x20);
    const body = new ReadableStream({
      pull(controller) {
        if (read >= 16 * mib) controller.close();
        else controller.enqueue(chunk);
        read += chunk.length;
      },
    });
    return new Response(body);
  };
  const transport = createTransport({ url: 'http://localhost:1', fetch, ...options });
  return { transport, fetch, read: () => read };
}

const address: Hex = `0x${'11'.repeat(20)}`;
const keysOf = (count: number): Hex[] =>
  Array.from({ length: count }, (_, i): Hex => `0x${i.toString(16).padStart(64, '0')}`);

const word: Hex = `0x${'22'.repeat(32)}`;

const short = 64 * kib;

describe('a server that answers 16 MiB is cut', () => {
  /** Question, the least that must be read of it, and the most. */
  const questions: [string, readonly unknown[], number, number][] = [
    ['eth_chainId', [], short, short],
    ['eth_blockNumber', [], short, short],
    ['eth_getBalance', [address, 'latest'], short, short],
    ['eth_getStorageAt', [address, '0x0', 'latest'], short, short],
    ['net_version', [], short, short],
    ['eth_gasPrice', [], short, short],
    // The longest true ones: 65 nodes of 532 bytes for each key and the account; two neighbours of 12.6 kB together.
    ['eth_getProof', [address, [], 'latest'], 70_000, 140_000],
    ['eth_getProof', [address, keysOf(5), 'latest'], 6 * 70_000, 6 * 72_000 + short],
    ['l2_getProof', [address, [], 'latest'], 12_700, short + 25_000],
    ['linea_getProof', [address, keysOf(10), 'latest'], 11 * 12_700, short + 11 * 25_000],
    ['eth_getCode', [address, 'latest'], 2 * short, 3 * short + 10],
    ['eth_getBlockByNumber', ['latest', false], mib, 2 * mib],
    ['eth_getBlockByHash', [word, false], mib, 2 * mib],
  ];

  test.each(questions)('%s %j', async (method, params, least, most) => {
    const { transport, read } = lengthy();
    await expect(transport.call(method, params)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringMatching(/longer than \d+ bytes; .*"maxBytes"/),
    });
    expect(read()).toBeGreaterThan(least);
    // The piece that is too much, and one that the stream holds ready.
    expect(read()).toBeLessThanOrEqual(most + 8 * kib);
  });

  test.each([
    ['json', 10],
    ['compact', 10],
    ['auto', 10],
    ['json', 0],
  ] as const)(
    'by the proof client, under any name of its method: %s, %d keys',
    async (form, count) => {
      const { transport, read } = lengthy();
      const client = createProofClient({ transport, method: 'our_proof', form });
      const asked = client.getProof({ address, storageKeys: keysOf(count), block: 5 });
      await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' });
      expect(read()).toBeLessThanOrEqual(short + (count + 1) * 25_000 + 8 * kib);
    },
  );

  test('by an anchor, whatever it asks an endpoint', async () => {
    const { transport: l1, read } = lengthy();
    await expect(fetchAnchor({ l1, network: networks.mainnet })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(read()).toBeLessThan(short + 12 * kib);
    for (const trusted of [{ blockHash: word }, { stateRoot: word }]) {
      const other = lengthy();
      const asked = fetchAnchor({ l1: other.transport, network: networks.mainnet, trusted });
      await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' });
      expect(other.read()).toBeLessThan(2 * mib + 12 * kib);
    }
  });

  test('when an anchor calls a contract or looks for events', async () => {
    const called = lengthy();
    const endpoint = openEndpoint(called.transport, undefined, undefined);
    const { currentL2BlockNumber } = createRollupContract(endpoint, address);
    await expect(currentL2BlockNumber('latest')).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(called.read()).toBeLessThanOrEqual(short + 8 * kib);
    const searched = lengthy();
    const source = {
      node: openEndpoint(searched.transport, undefined, undefined),
      network: networks.mainnet,
      l1BlockNumber: 0,
      at: 'latest',
    } as const;
    const asked = { l2BlockNumber: 1, withWords: false };
    expect(await findFinalizedState(source, asked, undefined)).toBeUndefined();
    expect(searched.read()).toBeGreaterThan(2 * mib);
    expect(searched.read()).toBeLessThanOrEqual(2 * mib + 8 * kib);
    const { transport, read } = lengthy();
    const client = createPatientClient('L1', transport, { tries: 1, delay: 0 }, undefined);
    const followed = createRollupContract(client, address);
    await expect(followed.stateRootHash(1, 'latest')).rejects.toThrow(/TOO_LARGE/);
    expect(read()).toBeLessThanOrEqual(short + 8 * kib);
    const other = lengthy();
    const finality = contractFinality({
      contract: address,
      url: 'http://localhost:1',
      fetch: other.fetch,
    });
    await expect(finality()).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(other.read()).toBeLessThanOrEqual(short + 8 * kib);
  });

  test.each([
    [10n, short],
    [24_576n, short + 49_152],
    [100_000n, short + 200_000],
  ])('behind the code of %d bytes that an account is proven to have', async (codeSize, most) => {
    const { transport, read } = lengthy();
    const codes = createCodes(transport, createLifetime());
    const account = { codeSize, keccakCodeHash: word } as Account;
    await expect(codes.codeOf(address, account, 5)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(read()).toBeGreaterThan(most);
    expect(read()).toBeLessThanOrEqual(most + 32 + 8 * kib);
  });

  test('behind an access list, and is no hint then', async () => {
    const { transport, read } = lengthy();
    const hints = createHints(transport, createLifetime());
    const call = { from: address, to: address, data: new Uint8Array(), value: 0n, accessList: [] };
    expect(await hints.of(call as unknown as Call, 5, undefined)).toEqual([]);
    expect(read()).toBeLessThanOrEqual(2 * mib + 8 * kib);
  });

  test('what it announces does not count, but what comes', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * mib, ' '));
    expect(bomb.length).toBeLessThan(short);
    const transport = await against((_, response) => {
      response
        .writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length })
        .end(bomb);
    });
    await expect(transport.call('eth_chainId', [])).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('a bound', () => {
  test('that the caller set counts for every question, larger or smaller', async () => {
    const larger = lengthy({ maxBytes: 8 * mib });
    await expect(larger.transport.call('eth_chainId', [])).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(larger.read()).toBeGreaterThan(8 * mib);
    const smaller = lengthy({ maxBytes: 8 * kib });
    await expect(smaller.transport.call('l2_getProof', [])).rejects.toMatchObject({
      code: 'TOO_LARGE',
    });
    expect(smaller.read()).toBeLessThanOrEqual(16 * kib);
  });

  test('of one call', async () => {
    const { transport, read } = lengthy();
    const asked = transport.call('eth_getLogs', [{}], { maxBytes: 100 * kib });
    await expect(asked).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(read()).toBeLessThanOrEqual(108 * kib);
    await expect(transport.call('m', [], { maxBytes: 0 })).rejects.toThrow(/"maxBytes" expected/);
  });

  test('of what nothing bounds is 16 MiB', async () => {
    for (const [method, params] of [
      ['eth_getLogs', [{}]],
      ['eth_getBlockByNumber', ['latest', true]],
      ['eth_getBlockByNumber', []],
      ['eth_getProof', [address, keysOf(2000), 'latest']],
    ] as const) {
      const { transport, read } = lengthy();
      // 16 MiB of white space is no JSON; it was read.
      await expect(transport.call(method, params)).rejects.toMatchObject({ code: 'NOT_JSON' });
      expect(read()).toBeGreaterThanOrEqual(16 * mib);
    }
  });

  test('is told to a transport of the own, which may ignore it', async () => {
    const seen: unknown[] = [];
    const transport = {
      async call(...request: unknown[]) {
        seen.push(request[2]);
        return { anything: true };
      },
    };
    const client = createProofClient({ transport });
    expect(await client.getProof({ address, block: 5 })).toEqual({ anything: true });
    expect(seen).toMatchObject([{ maxBytes: expect.any(Number) }]);
  });
});

/** A server whose result is of exactly such a text. */
const answeringText =
  (result: string): RequestListener =>
  async (request, response) => {
    const { id } = await bodyOf(request);
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  };

const hexOf = (bytes: number) => `0x${'ab'.repeat(bytes)}`;

/** One path of the widest family: top node, 39 inner nodes, the sibling's and the own leaf opening, the value. */
const widePath = () => ({
  leafIndex: 2 ** 40 - 1,
  proof: {
    value: hexOf(192),
    proofRelatedNodes: [96, ...Array<number>(39).fill(64), 192, 192].map(hexOf),
  },
});
const absentKey = (key: string) => ({
  key,
  leftLeafIndex: 2 ** 40 - 1,
  leftProof: widePath().proof,
  rightLeafIndex: 2 ** 40 - 1,
  rightProof: widePath().proof,
});

describe('the longest true answer is taken', () => {
  test.each([0, 1, 200, 1000])('to %d absent slots of an L2 account', async (count) => {
    const keys = keysOf(count);
    const result = { accountProof: absentKey(address), storageProofs: keys.map(absentKey) };
    const transport = await against(answeringText(JSON.stringify(result)));
    const client = createProofClient({ transport, maxSlots: 1000 });
    expect(await client.getProof({ address, storageKeys: keys, block: 5 })).toEqual(result);
  });

  test.each([0, 20])('to an L2 account and %d slots, written with white space', async (count) => {
    const result = {
      accountProof: absentKey(address),
      storageProofs: keysOf(count).map(absentKey),
    };
    const transport = await against(answeringText(JSON.stringify(result, null, 2)));
    expect(await transport.call('l2_getProof', [address, keysOf(count), '0x5'])).toEqual(result);
  });

  test.each([0, 1, 6, 200])('to %d slots of an L1 account', async (count) => {
    const nodes = [...Array<number>(64).fill(532), 110].map(hexOf);
    const storageProof = keysOf(count).map((key) => ({ key, value: hexOf(32), proof: nodes }));
    const result = {
      address,
      accountProof: nodes,
      balance: hexOf(32),
      codeHash: hexOf(32),
      nonce: '0xffffffffffffffff',
      storageHash: hexOf(32),
      storageProof,
    };
    const transport = await against(answeringText(JSON.stringify(result)));
    expect(await transport.call('eth_getProof', [address, keysOf(count), '0x5'])).toEqual(result);
  });

  test('to a question for code of 64 KiB', async () => {
    const code = hexOf(64 * kib);
    const transport = await against(answeringText(JSON.stringify(code)));
    expect(await transport.call('eth_getCode', [address, 'latest'])).toBe(code);
  });

  test('to a question for a block of 20,000 transactions', async () => {
    const block = { number: '0x1', transactions: Array<string>(20_000).fill(hexOf(32)) };
    const transport = await against(answeringText(JSON.stringify(block)));
    expect(await transport.call('eth_getBlockByNumber', ['0x1', false])).toEqual(block);
  });

  test('that is an error with a long text', async () => {
    const message = 'x'.repeat(60_000);
    const transport = await against(async (request, response) => {
      const { id } = await bodyOf(request);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
    });
    for (const method of ['eth_chainId', 'l2_getProof', 'eth_getCode']) {
      await expect(transport.call(method, [])).rejects.toMatchObject({ code: 'SERVER_ERROR' });
    }
  });

  test.each(readdirSync('test/recorded/proof-server').filter((name) => name.startsWith('ok-')))(
    'as the real proof server gave it: %s',
    async (name) => {
      const { request, response } = JSON.parse(
        readFileSync(`test/recorded/proof-server/${name}`, 'utf8'),
      );
      const { method, params } = JSON.parse(request.body);
      const { result } = JSON.parse(response.body);
      const transport = await against(answeringText(JSON.stringify(result, null, 2)));
      expect(await transport.call(method, params)).toEqual(result);
    },
  );
});
