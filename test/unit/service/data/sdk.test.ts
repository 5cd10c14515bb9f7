/** The public SDK of the hosted interface, unchanged, reads balances of ours; only its host is another. */
import { execFileSync } from 'node:child_process';
import { GoldRushClient, isValidApiKey } from '@covalenthq/client-sdk';
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createKeyRing } from '../../../../src/service/limits/keys.js';
import { startAnvil } from '../../../support/anvil.js';
import { endCommands, startCommand } from '../../../support/commands.js';
import { send } from '../../../support/contracts/contract.js';
import { deployErc20, deployErc721 } from '../../../support/contracts/tokens.js';
import { type ServedData, serveData } from '../../../support/data.js';
import { blocksOf } from '../../../support/pages.js';
import { patience } from '../../../support/runs.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const wallet: Hex = `0x${'5e'.repeat(20)}`;
/** Of the form that the SDK insists on. */
const key = `cqt_rQ${'y3cM7bdKt4hXfWgP6vRkJ8QxHD'.slice(0, 26)}`;
const host = 'https://api.covalenthq.com';

test(
  'balances come through the public SDK',
  async () => {
    const node = await startAnvil('--chain-id', '59144');
    cleanups.push(() => node.close());
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', wallet, 10n ** 30n));
    const deed = await deployErc721(node);
    await send(node, deed.call('mint', wallet));
    const served = await serveData(node.url, {
      chainId: 59144,
      name: 'linea-mainnet',
      service: { keys: [key] },
    });
    cleanups.push(() => served.close());
    const platform = globalThis.fetch;
    const asked: string[] = [];
    globalThis.fetch = (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      asked.push(url);
      return platform(url.replace(host, served.url), init);
    };
    cleanups.push(() => {
      globalThis.fetch = platform;
    });
    const client = new GoldRushClient(key);
    const { data, error, error_message } =
      await client.BalanceService.getTokenBalancesForWalletAddress('linea-mainnet', wallet);
    expect({ error, error_message }).toEqual({ error: false, error_message: null });
    // The service asks its node by the same fetch.
    const sdks = asked.filter((url) => url.startsWith(host));
    expect(sdks.length).toBeGreaterThan(0);
    expect(asked.filter((url) => new URL(url).hostname !== '127.0.0.1')).toEqual(sdks);
    expect(data?.address).toBe(wallet);
    const [native, coin, nft] = data?.items ?? [];
    expect(native).toMatchObject({ native_token: true, balance: 0n });
    expect(coin).toMatchObject({
      contract_name: 'Gold',
      contract_decimals: 18,
      // The SDK reads amounts as integers of any size.
      balance: 10n ** 30n,
      quote: null,
    });
    expect(coin?.last_transferred_at).toBeInstanceOf(Date);
    expect(nft).toMatchObject({ contract_address: deed.address, type: 'nft', balance: 1n });
  },
  patience,
);

describe('the program of the page asks a service of its own', () => {
  const [{ code } = { code: '' }, ...others] = blocksOf('docs/data.md').filter(
    ({ language }) => language === 'js',
  );
  const wallet: Hex = '0x6c6553b4934a681a4efe765efb6db43e753aa036';
  /** Of the forms of the SDK: `isValidApiKey` of its source. */
  const keys = [`ckey_${'0f9a8b7c6d5e4'.repeat(3).slice(0, 27)}`, key, key.replace('rQ', 'wF')];

  async function served(): Promise<ServedData> {
    const node = await startAnvil();
    cleanups.push(() => node.close(), endCommands);
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', wallet, 77n));
    const data = await serveData(node.url, { name: 'l2-mainnet', service: { keys } });
    cleanups.push(() => data.close());
    return data;
  }
  const run = (DATA_URL: string, DATA_KEY: string) => {
    const env = { DATA_URL, DATA_KEY };
    const { ended, said } = startCommand(['--input-type=module', '-e', code], { env });
    return ended.then((status) => ({ status, text: said.text }));
  };

  test(
    'with a key of each of its forms, and no other',
    async () => {
      expect(others).toEqual([]);
      expect(keys.filter((one) => isValidApiKey(one))).toEqual(keys);
      const { url } = await served();
      for (const one of keys) {
        expect(await run(url, one)).toEqual({ status: 0, text: '0 ETH\n77 GLD\n' });
      }
      const unknown = await run(url, `ckey_${'ab'.repeat(13)}c`);
      expect(unknown.status).toBe(1);
      expect(unknown.text).not.toContain('GLD');
      // The SDK itself refuses it.
      expect(await run(url, 'my-api-key')).toMatchObject({ status: 1 });
    },
    patience,
  );

  test('the key that the page makes is of a form of the SDK', () => {
    const line = blocksOf('docs/data.md').find(({ code }) => code.startsWith('echo "ckey_'));
    const made = execFileSync('sh', ['-c', line?.code ?? 'false'], { encoding: 'utf8' }).trim();
    expect(isValidApiKey(made)).toBe(true);
    expect(createKeyRing([made]).find(made)).toBe(0);
  });
});
