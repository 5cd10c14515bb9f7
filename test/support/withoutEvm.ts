/** Calls over a provider in a process without the packages of the EVM. Prints what was answered. */

import { givenAnchor, networks } from '../../src/anchor/index.js';
import type { ProviderError } from '../../src/provider/index.js';
import { createProvider } from '../../src/provider/index.js';
import { createTransport } from '../../src/rpc/index.js';

const anchor = givenAnchor({
  network: networks.mainnet,
  l2BlockNumber: 5,
  stateRoot: `0x${'11'.repeat(32)}`,
  timestamp: { value: 1_800_000_000n, proven: true },
  l1: { blockNumber: 1, blockHash: `0x${'22'.repeat(32)}` },
});
const provider = createProvider({
  l2: createTransport({ url: 'http://127.0.0.1:1' }),
  network: networks.mainnet,
  anchor,
});
const block = await provider.request({ method: 'eth_blockNumber' });
const params = [{ to: `0x${'33'.repeat(20)}` }, 'latest'];
const { code, data, message } = (await provider
  .request({ method: 'eth_call', params })
  .catch((error) => error)) as ProviderError;
console.log(JSON.stringify({ block, code, reason: data?.reason, message }));
provider.close();
