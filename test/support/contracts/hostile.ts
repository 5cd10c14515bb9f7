/** Tokens that nobody would want: each came to a wallet by a Transfer of its own making. */
import type { Hex } from '../../../src/bytes.js';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { type Contract, deployAnywhere, send } from './contract.js';

/** Init code's beginning: one token comes to a wallet from nowhere. */
const arrive = (wallet: Hex) =>
  `0x01 PUSH0 MSTORE ${wallet} PUSH0 ${topics.transfer} 0x20 PUSH0 LOG3`;

export const word = (value: string) => `${value} PUSH0 MSTORE 0x20 PUSH0 RETURN`;

const selectors = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  balanceOf: '0x70a08231',
  allowance: '0xdd62ed3e',
  ownerOf: '0x6352211e',
  tokenURI: '0xc87b56dd',
  getApproved: '0x081812fc',
  isApprovedForAll: '0xe985e9c5',
};

/** What the members of ERC-20 or ERC-721 do; the others revert. */
export const token = (members: Partial<Record<keyof typeof selectors, string>>): Hex => {
  const names = Object.keys(members) as (keyof typeof members)[];
  return assemble(`
    PUSH0 CALLDATALOAD 0xe0 SHR
    ${names.map((name) => `DUP1 ${selectors[name]} EQ @${name} JUMPI`).join(' ')}
    PUSH0 PUSH0 REVERT
    ${names.map((name) => `${name}: ${members[name]}`).join('\n')}
  `);
};

/** A string of so many bytes, all of which are `a`. @param bytes three bytes in hex */
export const longText = (bytes: string) => `
  0x20 PUSH0 MSTORE 0x${bytes} 0x20 MSTORE
  0x${'61'.repeat(32)} 0x40 MSTORE 0x${bytes} PUSH0 RETURN`;

/** A text of one word. */
export const text = (value: string) => `
  0x20 PUSH0 MSTORE 0x${Buffer.from(value).length.toString(16).padStart(2, '0')} 0x20 MSTORE
  0x${Buffer.from(value).toString('hex').padEnd(64, '0')} 0x40 MSTORE 0x60 PUSH0 RETURN`;

export const hostileTokens = {
  /** Its name has 1 MB. */
  longName: token({ name: longText('100000'), decimals: word('0x02'), balanceOf: word('0x05') }),
  /** Whatever it is asked. */
  reverts: token({}),
  /** Its balance has 1 MB. */
  longBalance: token({ balanceOf: '0x100000 PUSH0 RETURN' }),
  manyDecimals: token({ decimals: word('0xff'), balanceOf: word('0x06') }),
  /** Its balance takes all gas that there is. */
  burnsGas: token({ balanceOf: 'again: @again JUMP' }),
  burnsAll: assemble('again: @again JUMP'),
  /** With a control character, and marks that turn the writing direction. */
  deceitful: token({
    name: text('Go\u0007ld \u202eevil\u2066'),
    symbol: text('G\u200bLD'),
    balanceOf: word('0x07'),
  }),
  halfWord: token({ balanceOf: '0x10 PUSH0 RETURN' }),
  nothing: assemble('STOP'),
} as const;

export type HostileToken = keyof typeof hostileTokens;

/** Deploys one of each. */
export async function deployHostile(node: Anvil, wallet: Hex): Promise<Map<HostileToken, Hex>> {
  const deployed = new Map<HostileToken, Hex>();
  for (const [i, name] of (Object.keys(hostileTokens) as HostileToken[]).entries()) {
    const bytecode = initOf(hostileTokens[name], arrive(wallet));
    const salt: Hex = `0x${(0xbad0 + i).toString(16).padStart(64, '0')}`;
    const { address } = await deployAnywhere(node, { abi: [], bytecode }, { salt });
    deployed.set(name, address);
  }
  return deployed;
}

/** Makes tokens of the same code, in one transaction; each comes to the wallet. */
export async function spam(
  node: Anvil,
  { wallet, count, code }: { wallet: Hex; count: number; code: Hex },
): Promise<void> {
  const child = initOf(code, arrive(wallet)).slice(2);
  const words = child.match(/.{1,64}/g) as string[];
  const source = `
    ${words.map((part, i) => `0x${part.padEnd(64, '0')} 0x${(32 * i).toString(16).padStart(4, '0')} MSTORE`).join('\n')}
    PUSH0 CALLDATALOAD
    loop:
      0x${(child.length / 2).toString(16).padStart(4, '0')} PUSH0 PUSH0 CREATE POP
      0x01 SWAP1 SUB
      DUP1 @loop JUMPI
    STOP`;
  const factory: Contract = await deployAnywhere(node, {
    abi: [],
    bytecode: initOf(assemble(source)),
  });
  for (let left = count; left > 0; left -= 100) {
    const data: Hex = `0x${Math.min(left, 100).toString(16).padStart(64, '0')}`;
    await send(node, { to: factory.address, data, gas: '0xe00000' });
  }
}

/** One token, whatever it is asked. */
export const spamToken: Hex = assemble(word('0x01'));
