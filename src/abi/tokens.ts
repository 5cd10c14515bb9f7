/** The functions of token contracts that are called: ERC-20, ERC-721 and ERC-1155, and the pools that hold two. */
import type { Hex } from '../bytes.js';
import { type AbiCall, callData } from './call.js';

/** Call data of the questions that have no argument of the asker. */
export const questions = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
  /** `supportsInterface` of ERC-165, of the interface of ERC-721. */
  erc721: `0x01ffc9a780ac58cd${'00'.repeat(28)}`,
  /** The same of ERC-1155. */
  erc1155: `0x01ffc9a7d9b67a26${'00'.repeat(28)}`,
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
  /** Of pools of Uniswap v2. */
  getReserves: '0x0902f1ac',
  /** Of pools of Uniswap v3. */
  slot0: '0x3850c7bd',
} as const satisfies Record<string, Hex>;

export type TokenQuestion = keyof typeof questions;

/**
 * `balanceOf(address)` of ERC-20 and ERC-721, `ownerOf(uint256)`, `balanceOf(address,uint256)` of ERC-1155, `allowance(address,address)` of
 * ERC-20, `allowance(address,address,address)` of Permit2, `isApprovedForAll(address,address)`, `getApproved(uint256)` and `tokenURI(uint256)` of
 * ERC-721, and `uri(uint256)` of ERC-1155.
 */
const selectors = {
  balanceOf: '0x70a08231',
  ownerOf: '0x6352211e',
  amountOf: '0x00fdd58e',
  allowance: '0xdd62ed3e',
  permitted: '0x927da105',
  approvedForAll: '0xe985e9c5',
  approved: '0x081812fc',
  tokenUri: '0xc87b56dd',
  uri: '0x0e89341c',
} as const;

/** The call whose answer is how much of an ERC-20 contract a spender may take from an owner. */
export const allowanceCall = (
  contract: Hex,
  { owner, spender }: { owner: Hex; spender: Hex },
): AbiCall => ({ to: contract, data: callData(selectors.allowance, owner, spender) });

/** The call of Permit2 whose answer is how much, until when, and a nonce. */
export const permittedCall = (
  permit2: Hex,
  { owner, token, spender }: { owner: Hex; token: Hex; spender: Hex },
): AbiCall => ({ to: permit2, data: callData(selectors.permitted, owner, token, spender) });

/** The call whose answer is whether a spender may take all tokens of an ERC-721 or ERC-1155 contract from an owner. */
export const approvedForAllCall = (
  contract: Hex,
  { owner, spender }: { owner: Hex; spender: Hex },
): AbiCall => ({ to: contract, data: callData(selectors.approvedForAll, owner, spender) });

/** The calls whose answers are who has an ERC-721 token, and who else may take it. */
export const approvedCalls = (contract: Hex, id: bigint): AbiCall[] => [
  ownerCall(contract, id),
  { to: contract, data: callData(selectors.approved, id) },
];

/** The call whose answer is who has an ERC-721 token. */
export const ownerCall = (to: Hex, id: bigint): AbiCall => ({
  to,
  data: callData(selectors.ownerOf, id),
});

/** The call whose answer is how much a wallet has of an ERC-1155 token. */
export const amountCall = (
  to: Hex,
  { wallet, id }: { readonly wallet: Hex; readonly id: bigint },
): AbiCall => ({ to, data: callData(selectors.amountOf, wallet, id) });

/** The call whose answer is the URL of what describes a token. */
export const uriCall = (
  standard: 'erc721' | 'erc1155',
  { contract: to, id }: { contract: Hex; id: bigint },
): AbiCall => ({
  to,
  data: callData(standard === 'erc721' ? selectors.tokenUri : selectors.uri, id),
});

/** The call whose answer is how much a wallet has of an ERC-20 contract, or how many tokens of an ERC-721 contract. */
export const balanceCall = (to: Hex, wallet: Hex): AbiCall => ({
  to,
  data: callData(selectors.balanceOf, wallet),
});

/**
 * The calls whose answers are what a wallet holds of a contract: of ERC-1155 the amount of each token; of the others the
 * balance, and then the owner of each token.
 */
export function holdingCalls(
  standard: 'erc20' | 'erc721' | 'erc1155',
  { contract: to, wallet }: { contract: Hex; wallet: Hex },
  ids: readonly bigint[],
): AbiCall[] {
  if (standard === 'erc1155') {
    return ids.map((id) => amountCall(to, { wallet, id }));
  }
  const owners = ids.map((id) => ownerCall(to, id));
  return [balanceCall(to, wallet), ...owners];
}
