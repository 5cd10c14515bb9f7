/** Schemas that the answers of several routes share. */
import { z } from '@hono/zod-openapi';

/** Hex of a width in bytes. */
export const hex = (width: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${2 * width}}$`));
/** Whole bytes, of any number. Without a captured group, which on a megabyte outgrows the stack of whoever checks. */
export const bytes = z.string().regex(/^0x(?:[0-9a-f]{2})*$/);
export const count = z.int().min(0);
export const text = z.string().nullable();
export const number = z.number().nullable();
export const amount = z.string().regex(/^\d+$/).openapi({ description: 'In smallest units' });
/** A time in UTC, without fractions of a second. */
export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

export const pagination = z.object({
  has_more: z.boolean(),
  page_number: count,
  page_size: count,
  total_count: count.nullable(),
});

/** The same for a list that goes on by cursors too. */
export const cursorPagination = pagination.extend({
  cursor: text.openapi({
    description: 'For the query of the next page: `cursor`; null at the end of the list',
  }),
});

/** The first members of all answers about one chain. */
export const head = {
  updated_at: z.string(),
  chain_id: count,
  chain_name: z.string(),
  block_height: count,
  block_hash: hex(32).nullable(),
};

/** Members of a token that a wallet holds, or held. */
export const heldToken = {
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_display_name: text,
  contract_address: hex(20).openapi({ description: 'Of the native token: 0x and forty times e' }),
  logo_url: text,
  supports_erc: z.array(z.string()).nullable(),
};

/** Pictures of a token and of where it is from. */
export const logoUrls = z.object({
  token_logo_url: text,
  protocol_logo_url: text,
  chain_logo_url: text,
});
