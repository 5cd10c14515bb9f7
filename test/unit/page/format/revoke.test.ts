import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { revokeAllowance, revokeApproval } from '../../../../src/page/format/revoke.js';

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
]);
const permitAbi = parseAbi(['function approve(address, address, uint160, uint48)']);
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const spender = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';
const nobody = '0x0000000000000000000000000000000000000000';

test('an allowance is revoked at its token, and one of Permit2 there', () => {
  expect(revokeAllowance({ token, spender }, false)).toEqual({
    to: token,
    data: encodeFunctionData({ abi, functionName: 'approve', args: [spender, 0n] }),
    text: 'approve(spender, 0)',
  });
  const args = [token, spender, 0n, 0] as const;
  expect(revokeAllowance({ token, spender }, true)).toMatchObject({
    to: '0x000000000022d473030f116ddee9f6b43ac78ba3',
    data: encodeFunctionData({ abi: permitAbi, functionName: 'approve', args }),
  });
});

test('NFTs are revoked all at once, or one by one', () => {
  const all = { abi, functionName: 'setApprovalForAll', args: [spender, false] } as const;
  expect(revokeApproval({ contract: token, spender }, 'all')).toEqual([
    { to: token, data: encodeFunctionData(all), text: 'setApprovalForAll(spender, false)' },
  ]);
  const ids = [1n, 2n ** 255n];
  expect(revokeApproval({ contract: token, spender }, ids)).toEqual(
    ids.map((id) => ({
      to: token,
      data: encodeFunctionData({ abi, functionName: 'approve', args: [nobody, id] }),
      text: `approve(nobody, ${id})`,
    })),
  );
});
