/** Filters by traits, which the documents of tokens have. */
import { z } from '@hono/zod-openapi';
import { codes, HttpError } from '../../http/httpError.js';
import { badRequest } from '../common/blocks.js';

const filter = (description: string) =>
  z.string().min(1).max(1024).optional().openapi({ description });

/** The members of a query that say which tokens are wanted. */
export const traitsQuery = {
  'traits-filter': filter('A trait that tokens must have; with `values-filter`'),
  'values-filter': filter('The value that it must have; with `traits-filter`'),
};

/** @throws HttpError 400 for half a filter; 501 for a whole one: this service has no documents */
export function checkTraits(read: {
  readonly 'traits-filter': string | undefined;
  readonly 'values-filter': string | undefined;
}): void {
  const { 'traits-filter': trait, 'values-filter': value } = read;
  if (trait === undefined && value === undefined) return;
  if (trait === undefined || value === undefined) {
    throw badRequest('traits-filter and values-filter must stand together');
  }
  const text = 'this needs the documents of tokens, which this service does not fetch';
  throw new HttpError(codes.resourceUnavailable, text, { status: 501 });
}
