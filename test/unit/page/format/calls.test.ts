import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { encodeCall } from '../../../../src/page/format/calls.js';

const abi = parseAbi(['function approve(address spender, uint256 amount)', 'function symbol()']);
const spender = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';

test('calls are encoded as viem does it', () => {
  const most = 2n ** 256n - 1n;
  const args = [spender, most] as const;
  const expected = encodeFunctionData({ abi, functionName: 'approve', args });
  expect(encodeCall('approve(address,uint256)', spender, most)).toBe(expected);
  expect(encodeCall('symbol()')).toBe(encodeFunctionData({ abi, functionName: 'symbol' }));
});

test.each([2n ** 256n, -1n, '0xgg', '0x'] as const)('%s is no word', (word) => {
  expect(() => encodeCall('approve(address,uint256)', word)).toThrow(RangeError);
});
