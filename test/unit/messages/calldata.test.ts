/** The call that claims a message, on a real node: the rollup contract of the devnet pays it out, once. */
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { rollup } from '../../../src/cli/devnet/contracts.js';
import type { Hex } from '../../../src/index.js';
import { claimCalldata } from '../../../src/messages/calldata.js';
import { type Message, messageHash, messageTrees } from '../../../src/messages/index.js';
import { accounts, startAnvil } from '../../support/anvil.js';

const abi = parseAbi(['function finalize(uint256, bytes32, uint256, bytes32[])']);
const address = '0x1000000000000000000000000000000000000001';
const [alice, bob] = accounts;
const recipient = '0x00000000000000000000000000000000000000aa';
const message: Message = {
  ...{ from: alice, to: bob, fee: 3n, value: 1000n, messageNumber: 258n, data: '0x0102030405' },
};

test('it is paid once, with its fee, and nothing else is', async () => {
  const node = await startAnvil();
  try {
    await node.call('anvil_setCode', address, rollup.code);
    await node.call('anvil_setBalance', address, '0xffff');
    const hashes = Array.from({ length: 40 }, (_, i): Hex => `0x${String(10 + i).repeat(32)}`);
    hashes[35] = messageHash(message);
    const trees = messageTrees(hashes, 5);
    const roots = trees.map(({ root }) => root);
    const args = [1n, `0x${'11'.repeat(32)}`, 1n, roots] as const;
    const data = encodeFunctionData({ abi, functionName: 'finalize', args });
    await node.mine({ to: address, data });
    const [, tree] = trees as [unknown, (typeof trees)[number]];
    const leaf = { message, proof: tree.prove(3), leafIndex: 3, root: tree.root };
    const claim = (more: object = {}) => claimCalldata({ ...leaf, ...more }, recipient);
    const call = (calldata: Hex) =>
      node.call('eth_call', { to: address, data: calldata }, 'latest');
    for (const more of [
      { message: { ...message, value: 1001n } },
      { leafIndex: 4 },
      { leafIndex: 35 },
      { proof: tree.prove(4) },
      { proof: tree.prove(3).slice(1) },
      { root: `0x${'12'.repeat(32)}` },
    ]) {
      await expect(call(claim(more)), JSON.stringify(Object.keys(more))).rejects.toThrow('revert');
    }
    const held = async (who: string) => BigInt(await node.call('eth_getBalance', who, 'latest'));
    const before = await held(bob);
    await node.mine({ to: address, data: claim() });
    expect((await held(bob)) - before).toBe(1000n);
    expect(await held(recipient)).toBe(3n);
    await expect(call(claim())).rejects.toThrow('revert');
  } finally {
    await node.close();
  }
});
