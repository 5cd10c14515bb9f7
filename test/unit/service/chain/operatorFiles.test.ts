/** Files of the operator's, and the options of the decoder and of the data interface: what is wrong is named by its place. */
import { describe, expect, test } from 'vitest';
import { readTokenLists } from '../../../../src/service/chain/tokenList.js';
import {
  createDataInterface,
  createDecoder,
  createService,
  fixedPrices,
} from '../../../../src/service/index.js';
import { memoryStore, openStateTree } from '../../../../src/tree/index.js';

const address = `0x${'Ab'.repeat(20)}`;
const chain = { name: 'a', url: 'http://127.0.0.1:9' };

describe('prices', () => {
  test('are numbers from 0, or their digits', async () => {
    const source = fixedPrices({ a: [{ address, usd: '1.50' }], b: [{ address, usd: 0 }] });
    const asked = { addresses: [address.toLowerCase() as `0x${string}`] };
    const ask = (chainName: string) => source({ ...asked, chainName } as never);
    expect(await ask('a')).toEqual([{ address: address.toLowerCase(), usd: '1.50' }]);
    expect(await ask('b')).toEqual([{ address: address.toLowerCase(), usd: 0 }]);
    expect(await ask('c')).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['a list', [{ a: 1 }], '"prices.0" expected an array'],
    ['no list of a chain', { a: {} }, '"prices.a" expected an array'],
    ['a short address', { a: [{ address: '0x12', usd: 1 }] }, '"prices.a[0].address" expected'],
    ['invalid digits', { a: [{ address, usd: '1e3' }] }, '"prices.a[0].usd" expected'],
    ['a number below 0', { a: [{ address, usd: -1 }] }, '"prices.a[0].usd" expected'],
    ['no number', { a: [{ address, usd: Number.NaN }] }, '"prices.a[0].usd" expected'],
    ['nothing', { a: [{ address }] }, '"prices.a[0].usd" expected'],
  ])('%s is refused', (_, file, message) => {
    expect(() => fixedPrices(file)).toThrow(message);
  });
});

describe('a token list', () => {
  const token = { chainId: 1, address, name: 'Token', symbol: 'T', decimals: 18 };
  const read = (tokens: unknown) => readTokenLists([{ tokens }]);

  test('has the first one of each address', () => {
    const found = read([token, { ...token, name: 'Other' }, { ...token, chainId: 2 }]);
    expect([...found.keys()]).toEqual([1, 2]);
    expect(found.get(1)?.get(address.toLowerCase())).toMatchObject({ name: 'Token', decimals: 18 });
  });

  test.each<[string, object, string]>([
    ['an invalid chain', { chainId: 'one' }, '.chainId" expected a whole number'],
    ['an invalid address', { address: 'x' }, '.address" expected 0x and 40 hex digits'],
    ['invalid decimals', { decimals: 'many' }, '.decimals" expected 0 to 77'],
    ['too many decimals', { decimals: 78 }, '.decimals" expected 0 to 77'],
    ['an invalid name', { name: 7 }, '.name" expected text'],
    ['a logo that runs', { logoURI: 'javascript:1' }, '.logoURI" expected a URL of a picture'],
    ['a long logo', { logoURI: `https://${'x'.repeat(2048)}` }, '.logoURI" expected a URL'],
  ])('with %s is refused', (_, member, message) => {
    expect(() => read([{ ...token, ...member }])).toThrow(`"tokenLists[0].tokens[0]${message}`);
  });

  test('of more tokens than a hundred thousand is refused', () => {
    expect(() => read({ length: 1 })).toThrow(/expected an array/);
    expect(() => read(Array(100_001).fill(token))).toThrow(/expected at most 100000 tokens/);
  });
});

describe('options', () => {
  test('of a decoded transaction', async () => {
    const decoder = await createDecoder({ chains: [chain] });
    const asked = { chainName: 'a', txHash: `0x${'12'.repeat(32)}` as const };
    const decode = (request: object) => decoder.decodeTransaction({ ...asked, ...request });
    await expect(decode({ chainName: 'b' })).rejects.toThrow('"chainName" expected the name');
    await expect(decode({ minUsd: -1 })).rejects.toThrow('"minUsd" expected a number from 0');
    await expect(decode({ minUsd: Number.NaN })).rejects.toThrow('"minUsd" expected');
    await expect(decode({ txHash: '0x12' })).rejects.toThrow(RangeError);
    await decoder.close();
  });

  test('of a data interface', async () => {
    const decoder = await createDecoder({ chains: [chain] });
    const store = memoryStore();
    const make = (options: object) =>
      createDataInterface({ decoder, chains: [{ name: 'a', store }], ...options } as never);
    await expect(make({ decoder: {} })).rejects.toThrow(
      '"decoder" expected a result of createDecoder',
    );
    await expect(make({ chains: [] })).rejects.toThrow('"chains" expected an array of at least');
    await expect(make({ chains: [{ name: 'b', store }] })).rejects.toThrow(
      '"chains[0].name" is no',
    );
    const twice = [
      { name: 'a', store },
      { name: 'a', store },
    ];
    await expect(make({ chains: twice })).rejects.toThrow('chain "a" is given twice');
    await expect(make({ recheck: -1 })).rejects.toThrow('"recheck" expected a whole number from 0');
    await expect(make({})).rejects.toMatchObject({ code: 'WRONG_INDEX' });
    await decoder.close();
  });

  test('of a service with data', async () => {
    const tree = await openStateTree();
    const finality = { finalizedBlock: async () => 0 };
    const options = { tree, finality, data: {} } as never;
    await expect(createService(options)).rejects.toThrow(TypeError);
    await tree.close();
  });
});
