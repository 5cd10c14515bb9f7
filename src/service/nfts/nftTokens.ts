/** What is said of tokens with ids, and who asks. */
import type { Hex } from '../../bytes.js';
import type { ChainContext } from '../data/balances.js';
import type { AnswerContext } from '../jsonrpc/method.js';

/** Standards of tokens with ids, in the order in which lists have them. */
export const nftStandards = ['erc721', 'erc1155'] as const;
export type NftStandard = (typeof nftStandards)[number];

/** A token with an id. */
export interface NftToken {
  readonly standard: NftStandard;
  /** Lower case. */
  readonly contract: Hex;
  readonly id: bigint;
}

/** Who asks, and the block. */
export interface NftQuery {
  readonly access: ChainContext;
  readonly context: AnswerContext;
  readonly block: number;
}
