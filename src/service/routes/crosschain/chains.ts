/** The chains that a question over several chains is about, and what each of them answers. */
import { z } from '@hono/zod-openapi';
import { dataOf } from '../../data/answers.js';
import type { ChainData, ChainWork, NamedAnswer } from '../../data/chainData.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { badRequest } from '../common/blocks.js';
import { count, hex } from '../common/schemas.js';

/** Chains that one question is about. */
const mostChains = 10;

/** The members of a list that a query names, with commas between them. */
export const listOf = (text: string): string[] => text.split(',');

/** Names or numbers of chains, with commas between them. @param served all that there are */
export const chainsParameter = (served: readonly ChainData[]) => {
  const find = (name: string) =>
    served.find((chain) => chain.name === name || String(chain.chainId) === name);
  const isKnown = (text: string) => {
    const chains = listOf(text).map(find);
    return chains.length <= mostChains && !chains.includes(undefined);
  };
  return z
    .string()
    .refine(isKnown, `must be up to ${mostChains} of the chains here, with commas between them`)
    .optional()
    .openapi({ description: 'Names or numbers, with commas between them. Default: all' })
    .transform((text) => {
      const asked = text === undefined ? served : listOf(text).map(find);
      return served.filter((chain) => asked.includes(chain));
    });
};

/** @throws HttpError if there are more than one answer tells of */
export function checkChains(chains: readonly ChainData[]): void {
  if (chains.length <= mostChains) return;
  throw badRequest(`there are more than ${mostChains} chains here; name some by chains`);
}

/** The block of a chain that an answer is of. */
export const chainBlock = z.object({
  chain_id: count,
  chain_name: z.string(),
  block_height: count,
  block_hash: hex(32).nullable(),
});

export const toChainBlock = ({ chainId, name }: ChainData, { number, hash }: BalanceBlock) => ({
  chain_id: chainId,
  chain_name: name,
  block_height: number,
  block_hash: hash ?? null,
});

/** What a chain answers, which is worked out once for each new block. @param Part of JSON */
export async function askChain<Part>(
  chain: ChainData,
  { way = 'answerNewest', ...asked }: NamedAnswer & { way?: 'answer' | 'answerNewest' },
  work: ChainWork,
): Promise<Part> {
  return dataOf(await chain[way](asked, work));
}
