/** A token written by hand whose supply, balances, fee and events are as a test wants them. */
import { parseAbi, toFunctionSelector } from 'viem';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { type Contract, deployAnywhere } from './contract.js';

const abi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
  'function mintHidden(address to, uint256 amount)',
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
]);

const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const to = '0x04 CALLDATALOAD';
const amount = '0x24 CALLDATALOAD';
const fee = `0x0a ${amount} DIV`;

const fees = {
  none: '',
  burned: `${fee} PUSH0 SLOAD SUB PUSH0 SSTORE`,
  kept: `${fee} 0x0fee SLOAD ADD 0x0fee SSTORE`,
};

interface Ledger {
  /** Code that leaves the supply. Default: slot 0, the sum of all that was minted less burned fees. */
  supply?: string;
  /** Code that leaves a balance. Default: the slot of the owner. */
  balance?: string;
  /** What a tenth of each transfer becomes, without an event. `kept`: by account 0x0fee. */
  fee?: keyof typeof fees;
}

/** Anybody may mint: `mintHidden` without an event. */
export function deployLedger(
  node: Anvil,
  { supply = 'PUSH0 SLOAD', balance = `${to} SLOAD`, fee: kind = 'none' }: Ledger = {},
): Promise<Contract> {
  const code = assemble(`
    PUSH0 CALLDATALOAD 0xe0 SHR
    DUP1 0x18160ddd EQ @supply JUMPI
    DUP1 0x70a08231 EQ @balance JUMPI
    DUP1 0xa9059cbb EQ @transfer JUMPI
    DUP1 0x40c10f19 EQ @mint JUMPI
    ${toFunctionSelector('mintHidden(address,uint256)')} EQ @credit JUMPI
    PUSH0 PUSH0 REVERT
  supply: ${supply} @answer JUMP
  balance: ${balance}
  answer: PUSH0 MSTORE 0x20 PUSH0 RETURN
  transfer:
    ${amount} PUSH0 MSTORE ${to} CALLER ${topic} 0x20 PUSH0 LOG3
    ${amount} CALLER SLOAD SUB CALLER SSTORE
    ${kind === 'none' ? amount : `${fee} ${amount} SUB`} ${to} SLOAD ADD ${to} SSTORE
    ${fees[kind]} STOP
  mint:
    ${amount} PUSH0 MSTORE ${to} PUSH0 ${topic} 0x20 PUSH0 LOG3
  credit:
    ${amount} PUSH0 SLOAD ADD PUSH0 SSTORE
    ${amount} ${to} SLOAD ADD ${to} SSTORE STOP`);
  return deployAnywhere(node, { abi, bytecode: initOf(code) });
}
