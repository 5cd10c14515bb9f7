/** Filters by traits, which the documents of tokens have. */
import { z } from '@hono/zod-openapi';
import { wordFor } from '../../../errors.js';
import type { ChainContext } from '../../data/balances.js';
import type { NftDocument } from '../../documents/document.js';
import { codes, HttpError } from '../../http/httpError.js';
import type { NftToken } from '../../nfts/nftTokens.js';
import { badRequest } from '../common/blocks.js';

const filter = (description: string) =>
  z.string().min(1).max(1024).optional().openapi({ description });

/** The members of a query that say which tokens are wanted. */
export const traitFilterQuery = {
  'traits-filter': filter(
    'A trait that tokens must have, or some, joined by commas; with `values-filter`. Of tokens whose documents the service has fetched',
  ),
  'values-filter': filter(
    'The value that it must have, or some, joined by commas; with `traits-filter`',
  ),
};

/** Which tokens are wanted: those that have one of the values of one of the traits. */
export interface TraitFilter {
  readonly traits: readonly string[];
  readonly values: readonly string[];
}

/** A text, and those that it may be a list of. */
const toList = (text: string): readonly string[] => [text, ...text.split(',')];

/** @returns undefined if all tokens are wanted @throws HttpError 400 for half a filter */
export function toTraitFilter(read: {
  readonly 'traits-filter': string | undefined;
  readonly 'values-filter': string | undefined;
}): TraitFilter | undefined {
  const { 'traits-filter': traits, 'values-filter': values } = read;
  if (traits === undefined && values === undefined) return undefined;
  if (traits === undefined || values === undefined) {
    throw badRequest('traits-filter and values-filter must stand together');
  }
  return { traits: toList(traits), values: toList(values) };
}

export const passes = (document: NftDocument | undefined, filter: TraitFilter): boolean =>
  document?.attributes.some(
    ({ trait, value }) =>
      trait !== undefined && filter.traits.includes(trait) && filter.values.includes(value),
  ) ?? false;

/** @throws HttpError 501 if no document of a contract's tokens is kept, and none is fetched */
export function needDocuments(
  contract: NftToken['contract'],
  { documents, nftMetadata }: ChainContext,
): void {
  if (nftMetadata.isOn || documents.ofContract(contract).length > 0) return;
  const fetching = wordFor('fetchDocuments', 'the option nftMetadata');
  const text = `this needs the documents of tokens, which this service does not fetch: that takes ${fetching}`;
  throw new HttpError(codes.resourceUnavailable, text, { status: 501 });
}

const byKey = (a: NftToken, b: NftToken): number =>
  Number(a.standard === 'erc1155') - Number(b.standard === 'erc1155') ||
  Number(a.id > b.id) - Number(a.id < b.id);

/** The tokens of a contract whose kept documents pass, by standard and then by id. @throws HttpError 501 */
export function findPassing(
  contract: NftToken['contract'],
  filter: TraitFilter,
  access: ChainContext,
): NftToken[] {
  needDocuments(contract, access);
  const passing = access.documents
    .ofContract(contract)
    .filter(({ document }) => passes(document, filter))
    .map(({ standard, id }): NftToken => ({ standard, contract, id }));
  const distinct = new Map(passing.map((token) => [`${token.standard} ${token.id}`, token]));
  return [...distinct.values()].sort(byKey);
}
