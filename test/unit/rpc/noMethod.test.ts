/** What nodes and providers answer to a method that they do not have, and what is no such answer. */
import { expect, test } from 'vitest';
import { RpcError } from '../../../src/rpc/index.js';
import { lacksMethod } from '../../../src/rpc/noMethod.js';

const answered = (serverCode: number, serverMessage: string) =>
  new RpcError('SERVER_ERROR', 'eth_getBlockReceipts', 'said', { serverCode, serverMessage });

test.each([
  // geth, Erigon
  [-32601, 'the method eth_getBlockReceipts does not exist/is not available'],
  // reth, Anvil
  [-32601, 'Method not found'],
  // Besu, for a namespace that is off
  [-32604, 'Method not enabled'],
  // Nethermind
  [-32600, 'eth_getBlockReceipts method is disabled due to access settings'],
  // a provider with plans
  [-32600, 'Unsupported method: eth_getBlockReceipts on LINEA_MAINNET'],
])('code %i: %s', (code, message) => {
  expect(lacksMethod(answered(code, message))).toBe(true);
});

test.each([
  [-32000, 'header not found'],
  [-32603, 'internal error'],
  [-32005, 'too many requests'],
  [-32602, 'missing value for required argument 0'],
])('code %i is none: %s', (code, message) => {
  expect(lacksMethod(answered(code, message))).toBe(false);
});

test('an error of a transport of their own has the code alone, and other failures have none', () => {
  expect(lacksMethod(Object.assign(new Error('no'), { code: -32601 }))).toBe(true);
  for (const other of [new Error('method not found'), undefined, null, 'method not found', {}]) {
    expect(lacksMethod(other)).toBe(false);
  }
  expect(lacksMethod(new RpcError('TIMEOUT', 'x', 'the method x did not answer'))).toBe(false);
});
