/** The public SDK of the hosted interface, unchanged, reads balances of ours; only its host is another. */
import { GoldRushClient } from '@covalenthq/client-sdk';
import { afterEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import { deployErc20, deployErc721 } from '../../../support/contracts/tokens.js';
import { serveData } from '../../../support/data.js';
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
