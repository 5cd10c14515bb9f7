/** Uses viem and @ethereumjs/rlp: a client whose answers are proven. In a file of its own, for viem's types need the DOM. */
// @ts-nocheck

import assert from 'node:assert/strict';
import { defineNetwork, givenAnchor } from 'l2proof/anchor';
import { decodeTransaction, describeChain, parseAbis } from 'l2proof/decode';
import { openStateTree } from 'l2proof/tree';
import { verifiedActions, verifiedTransport } from 'l2proof/viem';
import { createPublicClient } from 'viem';

const address = '0x00000000000000000000000000000000000a11ce';
const tree = await openStateTree();
const changes = [{ address, account: { nonce: 7, balance: 10n ** 18n } }] as const;
const { stateRoot } = await tree.applyBlock({ number: 1, changes });
const network = defineNetwork({ l1ChainId: 1, l2ChainId: 2, rollup: `0x${'aa'.repeat(20)}` });
const l1 = { blockNumber: 1, blockHash: `0x${'11'.repeat(32)}` } as const;
const transport = verifiedTransport({
  l2: { call: () => tree.getProof(address, [], 1) },
  network,
  anchor: givenAnchor({ network, l2BlockNumber: 1, stateRoot, l1 }),
});
const client = createPublicClient({ transport }).extend(verifiedActions());
assert.equal(await client.getTransactionCount({ address }), 7);
assert.equal((await client.getAnchor()).l2BlockNumber, 1);
await assert.rejects(client.getGasPrice(), /is not available/);
await tree.close();

// The decoder takes viem's reading of declarations, its hash and its checksums.
const [from, to] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const hash = `0x${'11'.repeat(32)}`;
const word = (digits: string) => `0x${digits.padStart(64, '0')}`;
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const log = {
  address: to,
  topics: [transfer, word('aa'.repeat(20)), word('bb'.repeat(20))],
  data: word('5'),
};
const common = { blockHash: hash, from, to };
const quantities = { blockNumber: '0x1', transactionIndex: '0x0', gasUsed: '0x5208' };
const { events } = decodeTransaction({
  receipt: { ...common, ...quantities, transactionHash: hash, status: '0x1', logs: [log] },
  transaction: { ...common, hash, value: '0x0', gas: '0x5208' },
  chain: describeChain({ name: 'dev', id: 1 }),
  abis: parseAbis({ own: ['event Ping((address who, uint256[] counts) indexed what)'] }),
});
assert.equal(events[0]?.tokens?.[0]?.value, '5');
assert.equal(events[0]?.details[0]?.value, '0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa');
console.log('all used');
