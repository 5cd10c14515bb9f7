/** The calls that take an approval back. The page shows them as data: the reader's own wallet sends them. */

import type { Hex } from '../../index.js';
import { type ContractCall, encodeCall } from './calls.js';

export interface RevokeCall extends ContractCall {
  /** The same, in words. */
  readonly text: string;
}

/** Permit2, which has this address on every chain. */
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const nobody: Hex = `0x${'00'.repeat(20)}`;

/** Of an ERC-20 token. @param isPermit2 whether Permit2 keeps the allowance, and not the token itself */
export function revokeAllowance(
  { token, spender }: { readonly token: Hex; readonly spender: Hex },
  isPermit2: boolean,
): RevokeCall {
  if (!isPermit2) {
    const data = encodeCall('approve(address,uint256)', spender, 0n);
    return { to: token, data, text: 'approve(spender, 0)' };
  }
  const signature = 'approve(address,address,uint160,uint48)';
  const data = encodeCall(signature, token, spender, 0n, 0n);
  return { to: permit2, data, text: 'approve(token, spender, 0, 0) of Permit2' };
}

/** Of NFTs: one call for all of a contract, or one for each token. */
export const revokeApproval = (
  { contract, spender }: { readonly contract: Hex; readonly spender: Hex },
  ids: 'all' | readonly bigint[],
): RevokeCall[] =>
  ids === 'all'
    ? [
        {
          to: contract,
          data: encodeCall('setApprovalForAll(address,bool)', spender, 0n),
          text: 'setApprovalForAll(spender, false)',
        },
      ]
    : ids.map((id) => ({
        to: contract,
        data: encodeCall('approve(address,uint256)', nobody, id),
        text: `approve(nobody, ${id})`,
      }));
