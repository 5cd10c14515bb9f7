// @ts-nocheck
import { afterAll, beforeAll, test } from 'vitest';
import { defineNetwork } from '../../src/anchor/index.js';
import { createProvider } from '../../src/provider/index.js';
import { accounts, create2, slotInit, store } from '../support/anvil.js';
import { slots } from '../support/chain.js';
import { type Living, openLiving } from '../support/living.js';
import { rollup } from '../support/worlds.js';

let world: Living;
beforeAll(async () => {
  world = await openLiving({
    network: defineNetwork({
      name: 'living',
      l1ChainId: 900,
      l2ChainId: 31337,
      rollup,
      forks: { prague: 0 },
    }),
  });
  await world.l2.mine(create2(1, slotInit));
  await world.l2.mine(store(slots(1), 1, 101), { to: accounts[1], value: 1n });
  await world.finalize();
}, 60000);
afterAll(() => world.close());

test('x', async () => {
  const provider = createProvider({
    l2: world.transport,
    l1: world.l1Transport,
    network: world.network,
  });
  const hex = '0x' + (await provider.anchor()).l2BlockNumber.toString(16);
  const ask = async (method: string, ...params: any[]) => {
    world.requests.length = 0;
    const mine = await provider
      .explain({ method, params })
      .catch((e) => ({ error: e.message, data: e.data, cause: e.cause?.cause?.stack }));
    const n = world.requests.map((r) => r.method).join(' ');
    const theirs = await world.l2
      .call(method, params[0], hex, ...params.slice(2))
      .catch((e) => e.message);
    console.log(
      method,
      JSON.stringify(params),
      '\n  mine  ',
      JSON.stringify({ ...(mine as any), anchor: undefined }),
      '\n  theirs',
      JSON.stringify(theirs),
      '\n  ',
      n,
    );
  };
  const T = '0x' + 'c0'.repeat(20);
  const est = (code: string, more: any = {}) =>
    ask('eth_estimateGas', { to: T, from: accounts[1], ...more }, 'latest', {
      [T]: { code: '0x' + code },
    });
  await est('00');
  await est('00', { data: '0x00' });
  await est('00', { gas: '0x10000' });
  await est('5a61c350106009575f5ffd5b00'); // gas < 50000 revert?
  // GAS PUSH2 c350 LT (c350 < gas) PUSH1 09 JUMPI revert
  await est('5a61c350106008575f5ffd5b00');
  await est('5a61c35010600a575f5ffd5b00');
  // succeeds only if gas < 60000 (non monotone)
  await est('61ea605a10600a575f5ffd5b00');
  await est('5a6207a120106009575f5ffd5b00');
  // inner call try/catch: calls itself with data... CALL to 0xbb with all gas, ignore result
  const B = '0x' + 'bb'.repeat(20);
  const est2 = (code: string, inner: string, more: any = {}) =>
    ask('eth_estimateGas', { to: T, from: accounts[1], ...more }, 'latest', {
      [T]: { code: '0x' + code },
      [B]: { code: '0x' + inner },
    });
  const inner = '6001600055'.repeat(1) + '6002600155' + '00';
  await est2('5f5f5f5f5f73' + B.slice(2) + '5af100', inner);
  await est2('5f5f5f5f5f73' + B.slice(2) + '5af15f5260205ff3', inner);
  await est2(
    '5f5f5f5f5f73' + B.slice(2) + '5af16030575f5ffd5b00'.replace('6030', '60' + '28'),
    inner,
  );
  await est2('5f5f5f5f5f73' + B.slice(2) + '5af1602357' + '5f5ffd' + '5b00', inner);
  await est2('5f5f5f5f600173' + B.slice(2) + '5af100', inner, { value: '0x1' });
  await est('600160005560006000556001600155600060015500', {});
  await est('6001600055', { gasPrice: '0x1' });
  await est('6001600055', { maxFeePerGas: '0xffffffffff', maxPriorityFeePerGas: '0x1' });
  await est('6001600055', { gasPrice: '0x10f0cf064dd59200000' });
  await est('6001600055', { gasPrice: '0x10f0cf064dd592000' });
  await est('5b5f56');
  await est('fe');
  await est('3360015500', {
    accessList: [{ address: T, storageKeys: ['0x' + '00'.repeat(31) + '01'] }],
  });
  await est('00', { data: '0x' + 'ab'.repeat(3000) });
  await est('6001600055', { data: '0x' + 'ab'.repeat(300) });
  await ask('eth_estimateGas', { from: accounts[1], data: '0x' + '00'.repeat(40000) }, 'latest');
  await ask('eth_estimateGas', { from: accounts[1], data: '0x' + '00'.repeat(50000) }, 'latest');
  await ask('eth_call', { from: accounts[1], data: '0x' + '00'.repeat(50000) }, 'latest');
  await ask('eth_call', { from: accounts[1], data: '0x00', gas: '0x100' }, 'latest');
  await ask('eth_call', { from: accounts[1], data: '0x00', gas: '0xffffffff', to: T }, 'latest');
}, 60000);
