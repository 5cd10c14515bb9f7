/** A rebasing token, written by hand: balances change for everyone at once, without a Transfer. */
// @ts-nocheck

import { parseAbi, toEventSelector, toFunctionSelector } from 'viem';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { type Contract, deployAnywhere } from './contract.js';

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function mint(address to, uint256 amount)',
  'function rebase(uint256 index)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
]);

const one = '0x0de0b6b3a7640000';
const entryOf = (owner: string) => `${owner} PUSH0 MSTORE 0x02 0x20 MSTORE 0x40 PUSH0 KECCAK256`;
const to = '0x04 CALLDATALOAD';
const amount = '0x24 CALLDATALOAD';
/** The amount of a call, in shares. */
const shares = `PUSH0 SLOAD ${one} ${amount} MUL DIV`;
const transferTopic = toEventSelector('Transfer(address,address,uint256)');
const text = (value: string) => `
  0x20 PUSH0 MSTORE
  0x${value.length.toString(16).padStart(2, '0')} 0x20 MSTORE
  0x${Buffer.from(value).toString('hex').padEnd(64, '0')} 0x40 MSTORE
  0x60 PUSH0 RETURN`;

/**
 * Slot 0 is the index (10^18 is one), slot 1 all shares, and slot 2 a mapping of owners to shares. An amount is
 * shares * index / 10^18. Anybody may mint and rebase.
 */
const code = assemble(`
  PUSH0 CALLDATALOAD 0xe0 SHR
  DUP1 0x06fdde03 EQ @name JUMPI
  DUP1 0x95d89b41 EQ @symbol JUMPI
  DUP1 0x313ce567 EQ @decimals JUMPI
  DUP1 0x18160ddd EQ @totalSupply JUMPI
  DUP1 0x70a08231 EQ @balanceOf JUMPI
  DUP1 0xa9059cbb EQ @transfer JUMPI
  DUP1 0x40c10f19 EQ @mint JUMPI
  ${toFunctionSelector('rebase(uint256)')} EQ @rebase JUMPI
fail:
  PUSH0 PUSH0 REVERT

name: ${text('Rebasing')}
symbol: ${text('RBS')}
decimals: 0x12 @answer JUMP
totalSupply: 0x01 SLOAD @amount JUMP
balanceOf: ${entryOf(to)} SLOAD
amount:                           ; shares
  PUSH0 SLOAD MUL ${one} SWAP1 DIV
answer:                           ; word
  PUSH0 MSTORE 0x20 PUSH0 RETURN

mint:
  ${shares}
  DUP1 0x01 SLOAD ADD 0x01 SSTORE ; shares
  PUSH0 @credit JUMP
transfer:
  ${shares}
  ${entryOf('CALLER')}            ; shares entry
  DUP1 SLOAD                      ; shares entry held
  DUP3 DUP2 LT @fail JUMPI
  DUP3 SWAP1 SUB                  ; shares entry left
  SWAP1 SSTORE                    ; shares
  CALLER
credit:                           ; shares from
  ${entryOf(to)}                  ; shares from entry
  DUP1 SLOAD DUP4 ADD SWAP1 SSTORE
  ${amount} PUSH0 MSTORE
  ${to} SWAP1                     ; shares to from
  ${transferTopic} 0x20 PUSH0 LOG3
  0x01 @answer JUMP
rebase:
  ${to} PUSH0 SSTORE STOP
`);

/** Its index is one until somebody sets another. */
export const deployRebasing = (node: Anvil): Promise<Contract> =>
  deployAnywhere(node, { abi, bytecode: initOf(code, `${one} PUSH0 SSTORE`) });
