/** Permit2, written by hand at the address that it has on every chain: allowances that it keeps for all tokens. */
import { parseAbi, toEventSelector } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import { assemble } from './assemble.js';
import { type Contract, contractAt } from './contract.js';

export const permit2: Hex = '0x000000000022d473030f116ddee9f6b43ac78ba3';

const abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
]);

const argument = (index: number) =>
  `0x${(4 + 32 * index).toString(16).padStart(2, '0')} CALLDATALOAD`;
const entryOf = (owner: string, token: string, spender: string) =>
  `${owner} PUSH0 MSTORE ${token} 0x20 MSTORE ${spender} 0x40 MSTORE 0x60 PUSH0 KECCAK256`;
const topic = toEventSelector('Approval(address,address,address,uint160,uint48)');

/**
 * At the hash of owner, token and spender stand the expiry and, in the lower 160 bits, the amount. `transferFrom` takes from the amount
 * alone, and emits nothing, as the real one does.
 */
const code = assemble(`
  PUSH0 CALLDATALOAD 0xe0 SHR
  DUP1 0x87517c45 EQ @approve JUMPI
  DUP1 0x927da105 EQ @allowance JUMPI
  0x36c78516 EQ @transferFrom JUMPI
  PUSH0 PUSH0 REVERT

approve:
  ${argument(3)} DUP1 @given JUMPI POP TIMESTAMP
given:                            ; expiry
  DUP1 0xa0 SHL ${argument(2)} OR ; expiry packed
  ${entryOf('CALLER', argument(0), argument(1))} SSTORE
  ${argument(2)} PUSH0 MSTORE 0x20 MSTORE
  ${argument(1)} ${argument(0)} CALLER ${topic} 0x40 PUSH0 LOG4 STOP
allowance:
  ${entryOf(argument(0), argument(1), argument(2))} SLOAD
  DUP1 0x${'ff'.repeat(20)} AND PUSH0 MSTORE
  0xa0 SHR 0x20 MSTORE PUSH0 0x40 MSTORE 0x60 PUSH0 RETURN
transferFrom:
  ${entryOf(argument(0), argument(3), 'CALLER')} ; entry
  ${argument(2)} DUP2 SLOAD SUB SWAP1 SSTORE STOP
`);

export async function placePermit2(node: Anvil): Promise<Contract> {
  await node.call('anvil_setCode', permit2, code);
  return contractAt(node, abi, permit2);
}
