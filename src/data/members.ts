/** Members of foreign answers, as several routes have them. */
import * as z from 'zod/mini';

export const textMember = z.optional(z.nullable(z.string()));
export const numberMember = z.optional(z.nullable(z.number()));
export const flagMember = z.optional(z.nullable(z.boolean()));
/** An amount in smallest units: a text, for it may be beyond 2^53. */
export const amountMember = z.optional(z.nullable(z.string().check(z.regex(/^\d{1,78}$/))));
/** 32 bytes in hex, which must be there. */
export const hashMember = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/));
/** 20 bytes in hex, which must be there. */
export const addressMember = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
