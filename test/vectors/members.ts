/** A vector file is held to its schema: a member that nobody handles must not be passed over. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** Throws if `object` lacks a required member or has one that is not listed. */
export function checkMembers(
  object: JsonObject,
  required: readonly string[],
  optional: readonly string[],
  where: string,
): void {
  for (const name of required) {
    if (!(name in object)) throw new Error(`${where}: member "${name}" is missing`);
  }
  for (const name of Object.keys(object)) {
    if (!required.includes(name) && !optional.includes(name)) {
      throw new Error(`${where}: member "${name}" is not known to this runner`);
    }
  }
}

/** Throws unless both are the same; bigints count as their decimal strings, as the files write them. */
export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  const plain = (member: unknown) => {
    if (typeof member === 'bigint') return String(member);
    // JSON writes it as 0, which it is not: no figure of a file is meant to be -0.
    return Object.is(member, -0) ? '-0' : member;
  };
  const text = (value: unknown) => JSON.stringify(value, (_, member) => plain(member));
  if (text(actual) !== text(expected)) {
    throw new Error(`${what}: expected ${text(expected)}, got ${text(actual)}`);
  }
}
