/** Members of foreign answers, as several routes have them. */
import * as z from 'zod/mini';

/** The server's own `verified` and `assumed` count for nothing: only the reader's code says what is verified. */
export function unverified<T extends object>(given: T): T {
  const {
    verified: _,
    assumed: __,
    ...rest
  } = given as T & Record<'verified' | 'assumed', unknown>;
  return rest as unknown as T;
}

/** Something that a server says: members that are not named are kept, but for a `verified` of the server's own. */
export const claim = <T extends z.core.$ZodShape>(members: T) =>
  z.pipe(
    z.looseObject(members),
    z.transform((given) => unverified(given)),
  );

/** A member that may be null or missing. */
export const maybe = <T extends z.core.$ZodType>(schema: T) => z.optional(z.nullable(schema));

export const textMember = maybe(z.string());
export const texts = maybe(z.array(z.string()));
export const numberMember = maybe(z.number());
export const flagMember = maybe(z.boolean());
/** A whole number from 0, which must be there. */
export const countMember = z.number().check(z.nonnegative(), z.int());
/** An amount in smallest units: a text, for it may be beyond 2^53. */
export const amountMember = maybe(z.string().check(z.regex(/^\d{1,78}$/)));
/** Whole bytes in hex, of any number, which must be there. */
export const bytesMember = z.string().check(z.regex(/^0x(?:[0-9a-fA-F]{2})*$/));
/** 32 bytes in hex, which must be there. */
export const hashMember = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/));
/** 20 bytes in hex, which must be there. */
export const addressMember = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));
