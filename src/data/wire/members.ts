/** Members of foreign answers, as several routes have them. */
import * as z from 'zod/mini';

export const text = z.optional(z.nullable(z.string()));
export const number = z.optional(z.nullable(z.number()));
export const flag = z.optional(z.nullable(z.boolean()));
/** An amount in smallest units: a text, for it may be beyond 2^53. */
export const amount = z.optional(z.nullable(z.string().check(z.regex(/^\d{1,78}$/))));
/** 32 bytes in hex, which must be there. */
export const hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/));
/** 20 bytes in hex, which must be there. */
export const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
