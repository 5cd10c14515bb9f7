/** The proof method over real HTTP, rule by rule as its interface is written down. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hex, verifyProof } from '../../../src/index.js';
import { ask, type Reply, type Served, serveWorld, world } from '../../support/service.js';

const key = 'an-api-key';
const { wallet, contract, pristine, nobody, slot } = world;

let served: Served;
beforeAll(async () => {
  served = await serveWorld({ keys: [key], aliases: ['linea_getProof'] });
});
afterAll(() => served.close());

const params = (address: string, slots: readonly Hex[] = [], block: unknown = 'latest') => [
  address,
  slots,
  block,
];

/** What the answer proves under the root of a block. */
async function proven(reply: Reply, block: number, address: Hex, storageKeys: readonly Hex[] = []) {
  expect(reply.status).toBe(200);
  const stateRoot = await served.tree.stateRoot(block);
  return verifyProof(reply.body.result, { stateRoot, address, storageKeys });
}

const isError = (code: number, message: string | RegExp, id: unknown = 1) => ({
  status: 200,
  body: {
    jsonrpc: '2.0',
    id,
    error: {
      code,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    },
  },
});

describe('4.1: POST {base_url}/v3/<API_KEY>', () => {
  test('the request shown is answered with jsonrpc, id and result', async () => {
    const response = await fetch(`${served.url}/v3/${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"jsonrpc":"2.0","method":"l2_getProof","params":["${wallet}",["${slot(0)}"],"latest"],"id":1}`,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const body = (await response.json()) as { result: object };
    expect(Object.keys(body).sort()).toEqual(['id', 'jsonrpc', 'result']);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(Object.keys(body.result).sort()).toEqual(['accountProof', 'storageProofs']);
  });

  test('the method has other names if they are configured', async () => {
    const reply = await served.post(ask(params(wallet), 1, 'linea_getProof'));
    expect((await proven(reply, 12, wallet)).account?.nonce).toBe(1n);
  });

  describe('rule 1: params is an array of exactly three entries, in order', () => {
    test.each<[string, unknown, RegExp]>([
      ['none', undefined, /^params expected an array/],
      ['null', null, /^params expected an array/],
      ['an object', { address: wallet, storageKeys: [], blockParameter: 'latest' }, /^params/],
      ['two entries', [wallet, []], /^params/],
      ['four entries', [...params(wallet), 'latest'], /^params/],
      ['another order', [[], wallet, 'latest'], /^params\[1\] expected an array/],
      ['an address of 19 bytes', params(`0x${'11'.repeat(19)}`), /^params\[0\] expected 0x and 20/],
      ['an address without 0x', params(wallet.slice(2)), /^params\[0\]/],
      ['an address that is no text', params(7 as never), /^params\[0\]/],
      ['no array of keys', [wallet, slot(1), 'latest'], /^params\[1\]/],
      ['a key of 31 bytes', params(wallet, [slot(1), `0x${'11'.repeat(31)}`]), /^params\[1\]\[1\]/],
      ['a key as a short number', params(wallet, ['0x1']), /^params\[1\]\[0\]/],
      ['a key of other digits', params(wallet, [`0x${'zz'.repeat(32)}`]), /^params\[1\]\[0\]/],
      ['no block', [wallet, [], null], /^params\[2\]/],
      ['a block as a number', params(wallet, [], 12), /^params\[2\]/],
      ['a block as decimal text', params(wallet, [], '12'), /^params\[2\]/],
      ['a block without digits', params(wallet, [], '0x'), /^params\[2\]/],
      ['another tag', params(wallet, [], 'safe'), /^params\[2\]/],
      [
        '257 keys',
        params(wallet, new Array(257).fill(slot(1))),
        /^params\[1\] expected at most 256/,
      ],
    ])('%s: -32602', async (_, wrong, message) => {
      expect(await served.post(ask(wrong))).toMatchObject(isError(-32602, message));
    });
  });

  test('rule 2: an account that exists has its leafIndex and a proof of existence', async () => {
    const reply = await served.post(ask(params(wallet)));
    const { accountProof } = reply.body.result;
    expect(Object.keys(accountProof).sort()).toEqual(['key', 'leafIndex', 'proof']);
    expect(accountProof.leafIndex).toSatisfy(Number.isSafeInteger);
    expect(accountProof.proof.proofRelatedNodes).toHaveLength(42);
    expect((await proven(reply, 12, wallet)).account).toMatchObject({
      nonce: 1n,
      balance: 10n ** 18n,
    });
  });

  test('rule 3: a slot that does not exist has the proofs of the elements before and after', async () => {
    const reply = await served.post(ask(params(contract, [slot(9)])));
    const [entry] = reply.body.result.storageProofs;
    expect(Object.keys(entry).sort()).toEqual([
      'key',
      'leftLeafIndex',
      'leftProof',
      'rightLeafIndex',
      'rightProof',
    ]);
    const { storage } = await proven(reply, 12, contract, [slot(9)]);
    expect(storage).toEqual([{ key: slot(9), value: slot(0), exists: false }]);
  });

  describe('rule 4: the block is an L2 block finalized on L1', () => {
    test.each<[string, number]>([
      ['latest', 12],
      ['finalized', 12],
      ['earliest', 10],
      ['0xa', 10],
      ['0xb', 11],
      ['0xB', 11],
      ['0xc', 12],
      ['0x000c', 12],
    ])('%s is block %d', async (block, number) => {
      const reply = await served.post(ask(params(contract, [slot(1)], block)));
      expect(reply.headers.get('l2-block-number')).toBe(String(number));
      const { account, storage } = await proven(reply, number, contract, [slot(1)]);
      // Written into the state block by block, see the world.
      expect(account?.balance).toBe(number === 10 ? 5n : BigInt(number));
      expect(storage[0]?.value).toBe(slot(number === 10 ? 11 : number + 100));
    });

    test.each([
      ['pending', 'pending'],
      ['a block that is held and not finalized', '0xd'],
      ['a block to come', '0xe'],
      ['a block from before', '0x9'],
      ['block 0', '0x0'],
      ['a number beyond any block', '0xffffffffffffffff'],
      ['a hash that no block has', slot(12)],
    ])('%s is missing: -32600', async (_, block) => {
      const reply = await served.post(ask(params(contract, [], block)));
      expect(reply).toMatchObject(isError(-32600, /^BLOCK_MISSING_IN_CHAIN\b/));
      expect(reply.headers.get('l2-block-number')).toBe(null);
    });
  });

  test('rule 5: one entry per key asked, each with its key, in order, repeated if asked twice', async () => {
    const keys = [3, 9, 1, 3].map(slot);
    const reply = await served.post(ask(params(contract, keys, '0xa')));
    expect(reply.body.result.storageProofs.map(({ key }: { key: string }) => key)).toEqual(keys);
    const { storage } = await proven(reply, 10, contract, keys);
    expect(storage.map(({ value }) => value)).toEqual([13, 0, 11, 13].map(slot));
  });

  test('rule 6, slot that exists: leafIndex and proof, as for an account', async () => {
    const reply = await served.post(ask(params(contract, [slot(2)])));
    const [entry] = reply.body.result.storageProofs;
    expect(Object.keys(entry).sort()).toEqual(['key', 'leafIndex', 'proof']);
    const { storage } = await proven(reply, 12, contract, [slot(2)]);
    expect(storage).toEqual([{ key: slot(2), value: slot(12), exists: true }]);
  });

  test('rule 6, account that does not exist: its neighbours, and no slots', async () => {
    const reply = await served.post(ask(params(nobody, [slot(1)])));
    const { accountProof, storageProofs } = reply.body.result;
    expect(Object.keys(accountProof).sort()).toEqual([
      'key',
      'leftLeafIndex',
      'leftProof',
      'rightLeafIndex',
      'rightProof',
    ]);
    expect(storageProofs).toEqual([]);
    const { account, storage } = await proven(reply, 12, nobody, [slot(1)]);
    expect(account).toBe(null);
    expect(storage).toEqual([{ key: slot(1), value: slot(0), exists: false }]);
  });

  test.each([
    ['a wallet', wallet],
    ['a contract that never wrote a slot', pristine],
  ])('%s has no slots to show', async (_, address) => {
    const reply = await served.post(ask(params(address, [slot(1)])));
    expect(reply.body.result.storageProofs).toEqual([]);
    const { storage } = await proven(reply, 12, address, [slot(1)]);
    expect(storage[0]?.exists).toBe(false);
  });

  test('2.2: the key is the address, in lower case, however it was asked', async () => {
    for (const address of [contract, contract.toLowerCase(), `0x${'CC'.repeat(20)}`] as Hex[]) {
      const reply = await served.post(ask(params(address)));
      expect(reply.body.result.accountProof.key).toBe(`0x${'cc'.repeat(20)}`);
      await proven(reply, 12, address);
    }
  });

  test('slot keys of either case', async () => {
    const upper = `0x${slot(0xabcdef).slice(2).toUpperCase()}` as Hex;
    const reply = await served.post(ask(params(contract, [upper])));
    expect((await proven(reply, 12, contract, [upper])).storage[0]?.exists).toBe(false);
  });
});

describe('JSON-RPC 2.0', () => {
  test.each<[string, unknown]>([
    ['a number', 7],
    ['zero', 0],
    ['below zero', -3],
    ['a fraction', 1.5],
    ['the largest whole number', Number.MAX_SAFE_INTEGER],
    ['text', 'request-1'],
    ['empty text', ''],
    ['text of 256 characters', 'x'.repeat(256)],
    ['null', null],
  ])('an id that is %s is echoed', async (_, id) => {
    const good = await served.post(ask(params(wallet), id));
    expect(good.body).toMatchObject({ jsonrpc: '2.0', id });
    expect(good.body.result).toBeDefined();
    expect(await served.post(ask([], id))).toMatchObject(isError(-32602, /./, id));
  });

  test.each<[string, string]>([
    ['an object', '{}'],
    ['an array', '[1]'],
    ['a boolean', 'true'],
    ['text of 257 characters', JSON.stringify('x'.repeat(257))],
    ['a number that would come back as another', '9007199254740993'],
    ['a number that no double holds', '1e400'],
  ])('an id that is %s: -32600 with id null', async (_, id) => {
    const text = JSON.stringify(ask(params(wallet), 0)).replace('"id":0', `"id":${id}`);
    expect(await served.post(text)).toMatchObject(isError(-32600, /^"id" expected/, null));
  });

  test.each<[string, number, string, unknown]>([
    ['nothing', -32700, '', null],
    ['no JSON', -32700, '{"jsonrpc":"2.0",', null],
    ['two requests back to back', -32700, '{}{}', null],
    ['an empty batch', -32600, '[]', null],
    ['null', -32600, 'null', null],
    ['a number', -32600, '7', null],
    ['text', -32600, '"l2_getProof"', null],
    ['no version', -32600, '{"id":1,"method":"l2_getProof","params":[]}', 1],
    ['another version', -32600, '{"jsonrpc":"1.0","id":1,"method":"l2_getProof","params":[]}', 1],
    ['no method', -32600, '{"jsonrpc":"2.0","id":1,"params":[]}', 1],
    ['a method that is no text', -32600, '{"jsonrpc":"2.0","id":1,"method":7,"params":[]}', 1],
    ['neither id nor version', -32600, '{"method":"l2_getProof"}', null],
    ['another method', -32601, '{"jsonrpc":"2.0","id":1,"method":"eth_getProof","params":[]}', 1],
    ['a method of Object', -32601, '{"jsonrpc":"2.0","id":1,"method":"constructor"}', 1],
  ])('%s: %d', async (_, code, text, id) => {
    expect(await served.post(text)).toMatchObject(isError(code, /./, id));
  });

  test('a notification is answered 204 and nothing, whatever it asks', async () => {
    for (const method of ['l2_getProof', 'eth_chainId']) {
      const reply = await served.post({ jsonrpc: '2.0', method, params: params(wallet) });
      expect(reply).toMatchObject({ status: 204, body: undefined });
    }
  });

  test('a repeated member counts as it comes last', async () => {
    const text = JSON.stringify(ask(params(wallet))).replace('"id":1', '"id":1,"id":2');
    expect((await served.post(text)).body.id).toBe(2);
  });

  test('any content type is taken, as public servers do', async () => {
    for (const type of ['text/plain', 'application/json; charset=utf-8', 'image/png']) {
      const init = { headers: { 'content-type': type } };
      expect((await served.post(ask(params(wallet)), undefined, init)).body.result).toBeDefined();
    }
  });
});
