/** Uses viem and @ethereumjs/rlp: a client whose answers are proven. In a file of its own, for viem's types need the DOM. */
import assert from 'node:assert/strict';
import { defineNetwork, givenAnchor } from 'l2proof/anchor';
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
console.log('all used');
