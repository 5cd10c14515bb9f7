/** The kinds of bodies that a proof comes in. */

export const jsonType = 'application/json';

/** Bytes of a compact proof; a server that does not know them answers JSON. */
export const compactType = 'application/vnd.l2proof.compact';

/** The type that a header names, without its parameters. */
const typeOf = (text: string): string => (text.split(';')[0] as string).trim().toLowerCase();

/**
 * Whether a client names a type among those that it takes. One that takes anything at all wants JSON.
 *
 * @param accept the header of that name
 */
export function accepts(accept: string | undefined, type: string): boolean {
  return (accept ?? '').split(',').some((part) => typeOf(part) === type);
}
