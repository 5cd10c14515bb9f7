/** Tokens that claim, as they are made, that a wallet has approved spenders. */
import { type Hex, toEventSelector } from 'viem';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil } from '../anvil.js';
import { initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';
import { longText, token, word } from './hostile.js';

const topic = toEventSelector('Approval(address,address,uint256)');

/** Init code's beginning: a wallet approves so many spenders, whose addresses count up from 1. */
const approveAll = (wallet: Hex, spenders: number) => `
  0x01 PUSH0 MSTORE
  0x${spenders.toString(16).padStart(4, '0')}
again:
  DUP1 ${wallet} ${topic} 0x20 PUSH0 LOG3
  0x01 SWAP1 SUB DUP1 @again JUMPI`;

const greatest: Hex = `0x${'ff'.repeat(32)}`;

export const approvingTokens = {
  honest: token({ decimals: word('0x06'), balanceOf: word('0x09'), allowance: word('0x05') }),
  reverts: token({ balanceOf: word('0x05') }),
  nothing: token({ balanceOf: word('0x05'), allowance: word('PUSH0') }),
  longAnswer: token({ balanceOf: word('0x05'), allowance: '0x100000 PUSH0 RETURN' }),
  burnsGas: token({ allowance: 'again: @again JUMP' }),
  noBalance: token({ allowance: word('0x07') }),
  manyDecimals: token({
    ...{ decimals: word('0xff'), balanceOf: word(greatest), allowance: word(greatest) },
  }),
  longName: token({
    ...{ name: longText('100000'), symbol: longText('100000'), decimals: word('0x02') },
    ...{ balanceOf: word('0x05'), allowance: word('0x04') },
  }),
} as const;

export type ApprovingToken = keyof typeof approvingTokens;

export async function deployApproving(
  node: Anvil,
  name: ApprovingToken,
  { wallet, spenders }: { wallet: Hex; spenders: number },
): Promise<Hex> {
  const bytecode = initOf(approvingTokens[name], approveAll(wallet, spenders));
  return (await deployAnywhere(node, { abi: [], bytecode })).address;
}

/** A token by both standards, whose id 9 came to a wallet, and of which a spender may take 5, that id, and all. */
export async function deployBoth(
  node: Anvil,
  { wallet, spender }: { wallet: Hex; spender: Hex },
): Promise<Hex> {
  const code = token({
    ...{ decimals: word('PUSH0'), balanceOf: word('0x01'), allowance: word('0x05') },
    ...{ ownerOf: word(wallet), getApproved: word(spender), isApprovedForAll: word('0x01') },
  });
  const prelude = `
    0x09 PUSH0 MSTORE
    0x09 ${wallet} PUSH0 ${topics.transfer} PUSH0 PUSH0 LOG4
    ${spender} ${wallet} ${topics.approval} 0x20 PUSH0 LOG3
    0x09 ${spender} ${wallet} ${topics.approval} PUSH0 PUSH0 LOG4
    ${spender} ${wallet} ${topics.approvalForAll} 0x20 PUSH0 LOG3`;
  return (await deployAnywhere(node, { abi: [], bytecode: initOf(code, prelude) })).address;
}
