/** Members of paths and queries that several routes take. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { maxBlock } from '../../../tree/store/numbers.js';
import { numberRule, type Rule } from '../../rest/table.js';

/** 0x and 64 hex digits in any case; read as lower case. */
export const hashParameter = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text.toLowerCase() as Hex);

const tokenIdForm = /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/;
const tokenIdWords = 'must be the id of a token, in decimal or as 0x and hex digits, below 2^256';

/** Decimal digits, or 0x and hex digits; read as decimal digits, without zeros before them. */
export const tokenIdParameter = z
  .string()
  .regex(tokenIdForm, tokenIdWords)
  .refine((text) => !tokenIdForm.test(text) || BigInt(text) < 2n ** 256n, tokenIdWords)
  .transform((text) => String(BigInt(text)));

/** A block by its number, or by what it is called. */
export type NumberOrLatest = number | 'latest';

const blockForm = /^(\d{1,15}|0x[0-9a-fA-F]{1,12}|earliest|latest)$/;

function toBlockName(text: string): NumberOrLatest {
  if (text === 'latest') return text;
  return text === 'earliest' ? 0 : Number(text);
}

const blockWords =
  'must be the number of a block, in decimal or as 0x and hex digits, earliest or latest';

/** Decimal digits, 0x and hex digits, `earliest` or `latest`. */
export const blockName = z
  .string()
  .regex(blockForm, blockWords)
  .transform(toBlockName)
  .refine((block) => block === 'latest' || block <= maxBlock, blockWords);

const dateForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;
const dateWords = 'must be a date, such as 2026-02-28 or 2026-02-28T23:59:59Z, or latest';

/** Seconds; NaN if there is no such day. */
const toSeconds = (text: string): number => {
  const time = Date.parse(text);
  // Engines read the 30th of February as a day in March.
  const isDay = Number.isFinite(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  return isDay ? time / 1000 : Number.NaN;
};

/** A day, as the seconds at which it begins in UTC. */
export const dayText = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(toSeconds(text)),
    'must be a day, such as 2026-02-28',
  )
  .transform(toSeconds);

/** A time in seconds; `latest` is now. */
export type TimeName = number | 'latest';

/** A day, which begins at midnight in UTC, or a time, in seconds; `latest` is now. */
export const date = z
  .string()
  .refine(
    (text) => text === 'latest' || (dateForm.test(text) && !Number.isNaN(toSeconds(text))),
    dateWords,
  )
  .transform((text): TimeName => (text === 'latest' ? text : toSeconds(text)));

/** The second that is not over yet ends behind `latest`. */
export const timeOf = (name: TimeName): number =>
  name === 'latest' ? Math.floor(Date.now() / 1000) + 1 : name;

/** Records of a page at most, and if the size is not said, or if they carry proofs. */
const pageSizes = { most: 1000, usual: 100 };

/** Greatest number of a page. */
export const mostPages = 10 ** 9 - 1;

/** The longest cursor that is looked at. */
const cursorLength = 512;
const cursorSchema = z
  .string()
  .regex(new RegExp(`^[0-9a-f]{1,${cursorLength}}$`), 'must be one that an answer gave')
  .optional()
  .openapi({
    description: '`pagination.cursor` of an answer: the list goes on behind its last item',
  });

/** Where a list goes on: what an answer gave. */
export const cursor: Rule<typeof cursorSchema> = {
  schema: cursorSchema,
  fault: (_, before) =>
    before['page-number'] === undefined ? undefined : 'must stand without page-number',
};

/** The members of a query that say which page is wanted. */
export const pageQuery = {
  'page-size': numberRule(({ proofs }) => [1, proofs ? pageSizes.usual : pageSizes.most], {
    description: `Items of a page: 1 to ${pageSizes.most}; ${pageSizes.usual} if it is not given`,
  }),
  'page-number': numberRule(() => [0, mostPages], { description: 'From 0' }),
  cursor,
};

/** The same of a list that clients ask for without pages: they get as many as there may be. */
export const wholePageQuery = {
  ...pageQuery,
  'page-size': numberRule(({ proofs }) => [1, proofs ? pageSizes.usual : pageSizes.most], {
    description: `Items of a page: 1 to ${pageSizes.most}, which is the default`,
  }),
};

/** Which page is wanted. */
export interface PageQuestion {
  readonly size: number;
  /** From 0; 0 with a cursor, which says it. */
  readonly number: number;
  /** What an answer gave; undefined: the number counts. */
  readonly cursor: string | undefined;
}

/** The members of a query that name it. */
interface ReadPage {
  readonly 'page-size': number | undefined;
  readonly 'page-number'?: number | undefined;
  readonly cursor: string | undefined;
  readonly proofs?: boolean;
}

const toSizedPage =
  (usual: number) =>
  (read: ReadPage): PageQuestion => ({
    size: read['page-size'] ?? (read.proofs ? pageSizes.usual : usual),
    number: read['page-number'] ?? 0,
    cursor: read.cursor,
  });

export const toPage = toSizedPage(pageSizes.usual);
export const toWholePage = toSizedPage(pageSizes.most);

/** Currencies that quotes can be asked for in. Prices are known in US dollars alone: other quotes are null. */
const quoteCurrencies = [
  ...['USD', 'CAD', 'EUR', 'SGD', 'INR', 'JPY', 'VND', 'CNY', 'KRW'],
  ...['RUB', 'TRY', 'NGN', 'ARS', 'AUD', 'CHF', 'GBP'],
] as const;

const upperCase = (text: unknown) => (typeof text === 'string' ? text.toUpperCase() : text);
const currencyWords = { error: `must be one of ${quoteCurrencies.join(', ')}` };

/** The same in a path. */
export const quoteCurrencyName = z.preprocess(upperCase, z.enum(quoteCurrencies, currencyWords));

export const quoteCurrency = z.preprocess(
  upperCase,
  z
    .enum(quoteCurrencies, currencyWords)
    .optional()
    .openapi({ description: 'Of quotes; default USD. Quotes in other currencies are null' }),
);
