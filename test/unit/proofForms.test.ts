/** Proofs as JSON and as compact bytes: what the service answers, and what the client asks for. */

import type { IncomingMessage, RequestListener } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyAnswer, verifyCompactProof } from '../../src/compact/index.js';
import { type Hex, verifyProof } from '../../src/index.js';
import { createProofClient, createTransport, type ProofForm } from '../../src/rpc/index.js';
import type { RpcAnswer } from '../support/answers.js';
import { startHttp } from '../support/http.js';
import { ask, openWorld, type Served, serveWorld, world } from '../support/service.js';

const compactType = 'application/vnd.l2proof.compact';
const { wallet, contract, pristine, nobody, slot } = world;
const keys = [1, 2, 9].map(slot);

let stateRoot: Hex;
beforeAll(async () => {
  const tree = await openWorld();
  stateRoot = await tree.stateRoot(12);
  await tree.close();
});

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

async function serve(...given: Parameters<typeof serveWorld>): Promise<Served> {
  const served = await serveWorld(...given);
  closing.push(served);
  return served;
}

const post = (url: string, body: unknown, accept: string) =>
  fetch(`${url}/v3/anything`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify(body),
  });

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('the service', () => {
  const claims: [string, Hex, Hex[]][] = [
    ['a wallet', wallet, []],
    ['slots that exist and one that does not', contract, keys],
    ['pristine storage', pristine, keys],
    ['an absent account', nobody, keys],
  ];
  test.each(claims)(
    'answers bytes that prove what the JSON proves: %s',
    async (_, address, storageKeys) => {
      const { url } = await serve();
      const claim = { address, storageKeys, stateRoot };
      const request = ask([address, storageKeys, '0xc']);
      const response = await post(
        url,
        request,
        `text/html;q=0.1, ${compactType.toUpperCase()};q=1`,
      );
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(compactType);
      expect(response.headers.get('l2-block-number')).toBe('12');
      const json = await (await post(url, request, 'application/json')).json();
      expect(verifyCompactProof(await bytesOf(response), claim)).toEqual(
        verifyProof(json.result, claim),
      );
    },
  );

  test.each(['*/*', 'application/json', 'application/*', `${compactType}x`])(
    'answers JSON to Accept: %s',
    async (accept) => {
      const { url } = await serve();
      const response = await post(url, ask([wallet, [], 'latest']), accept);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect((await response.json()).result).toHaveProperty('accountProof');
    },
  );

  test('answers errors, batches and other methods as JSON', async () => {
    const { url } = await serve({ chainId: 59144 });
    const bodyOf = async (body: unknown) => (await post(url, body, compactType)).json();
    expect(await bodyOf(ask([wallet, [], '0xff']))).toMatchObject({ error: { code: -32600 } });
    expect(await bodyOf(ask(['0x1', [], 'latest']))).toMatchObject({ error: { code: -32602 } });
    expect(await bodyOf(ask([], 1, 'eth_chainId'))).toMatchObject({ result: '0xe708' });
    const [one] = (await bodyOf([ask([wallet, [], 'latest'])])) as RpcAnswer[];
    expect(one?.result).toHaveProperty('accountProof');
  });

  test('proves an older block by its own root', async () => {
    const { url, tree } = await serve();
    const response = await post(url, ask([contract, keys, '0xa']), compactType);
    const claim = { address: contract, storageKeys: keys, stateRoot: await tree.stateRoot(10) };
    const { storage } = verifyCompactProof(await bytesOf(response), claim);
    expect(storage.map(({ value }) => value)).toEqual([slot(11), slot(12), slot(0)]);
  });
});

describe('the client', () => {
  const clientOf = (url: string, form?: ProofForm, maxSlots?: number) =>
    createProofClient({
      transport: createTransport({ url: `${url}/v3/anything` }),
      form,
      maxSlots,
    });

  test.each<[ProofForm | undefined, boolean]>([
    [undefined, false],
    ['json', false],
    ['compact', true],
    ['auto', true],
  ])('of form %s gives what verifyAnswer takes; bytes: %s', async (form, isBytes) => {
    const { url } = await serve();
    const question = { address: contract, storageKeys: keys };
    const answer = await clientOf(url, form).getProof({ ...question, block: 12 });
    expect(answer instanceof Uint8Array).toBe(isBytes);
    expect(
      verifyAnswer(answer, { ...question, stateRoot }).storage.map(({ value }) => value),
    ).toEqual([slot(112), slot(12), slot(0)]);
  });

  /** Passes requests on to the service, and notes what they accept and how many slots they ask for. */
  async function watched(options: { isJsonOnly?: boolean; type?: string } = {}) {
    const { url } = await serve();
    const seen: [accept: string, slots: number][] = [];
    const listener: RequestListener = async (request: IncomingMessage, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const accept = request.headers.accept as string;
      seen.push([accept, JSON.parse(body).params[1].length]);
      const answer = await fetch(`${url}/v3/anything`, {
        method: 'POST',
        headers: { accept: options.isJsonOnly ? 'application/json' : accept },
        body,
      });
      const type = options.type ?? (answer.headers.get('content-type') as string);
      response.writeHead(answer.status, { 'content-type': type });
      response.end(await bytesOf(answer));
    };
    const server = await startHttp(listener);
    closing.push(server);
    return { url: server.url, seen };
  }

  const both = `${compactType}, application/json`;

  test('remembers for its life that a server answers JSON only', async () => {
    for (const form of ['compact', 'auto'] as const) {
      const { url, seen } = await watched({ isJsonOnly: true });
      const client = clientOf(url, form);
      for (let i = 0; i < 3; i++) {
        const answer = await client.getProof({ address: wallet, block: 12 });
        expect(verifyAnswer(answer, { address: wallet, stateRoot }).account?.nonce).toBe(1n);
      }
      expect(seen.map(([accept]) => accept)).toEqual([
        both,
        'application/json',
        'application/json',
      ]);
    }
  });

  test('does not take an error for a server without bytes', async () => {
    const { url, seen } = await watched();
    const client = clientOf(url, 'auto');
    await expect(client.getProof({ address: wallet, block: 99 })).rejects.toMatchObject({
      code: 'BLOCK_NOT_HELD',
    });
    expect(await client.getProof({ address: wallet, block: 12 })).toBeInstanceOf(Uint8Array);
    expect(seen.map(([accept]) => accept)).toEqual([both, both]);
  });

  test('asks for a long list at once under compact, and in parts under auto', async () => {
    const storageKeys = [1, 2, 3, 8, 9].map(slot);
    const claim = { address: contract, storageKeys, stateRoot };
    const question = { address: contract, storageKeys, block: 12 };
    const compact = await watched();
    const bytes = await clientOf(compact.url, 'compact', 2).getProof(question);
    expect(compact.seen).toEqual([[both, 5]]);
    const auto = await watched();
    const json = await clientOf(auto.url, 'auto', 2).getProof(question);
    expect(auto.seen.map(([accept]) => accept)).toEqual(Array(3).fill('application/json'));
    expect(auto.seen.map(([, slots]) => slots).sort()).toEqual([1, 2, 2]);
    expect(verifyAnswer(bytes, claim)).toEqual(verifyAnswer(json, claim));
  });

  test('goes by the type that the answer names, and bounds bytes as it bounds text', async () => {
    const named = await watched({ type: 'application/octet-stream' });
    await expect(
      clientOf(named.url, 'compact').getProof({ address: wallet, block: 12 }),
    ).rejects.toMatchObject({ code: 'NOT_JSON' });
    const { url } = await serve();
    const transport = createTransport({ url: `${url}/v3/anything`, maxBytes: 100 });
    await expect(
      createProofClient({ transport, form: 'compact' }).getProof({ address: wallet, block: 12 }),
    ).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('refuses a form that it does not know', () => {
    const transport = { call: async () => null };
    const create = (form: unknown) => () =>
      createProofClient({ transport, form: form as ProofForm });
    expect(create('bytes')).toThrow(TypeError);
    expect(create(null)).toThrow(TypeError);
  });

  test('asks a transport that has no call for bytes for JSON', async () => {
    const transport = { call: async () => 'json' };
    for (const form of ['compact', 'auto'] as const) {
      const client = createProofClient({ transport, form });
      expect(await client.getProof({ address: wallet, block: 12 })).toBe('json');
    }
  });
});
