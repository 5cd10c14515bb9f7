/** Counts the traits of a collection in the documents of its tokens. */
import type { Attribute, NftDocument } from './document.js';

/** A value of a trait, and how many tokens have it. */
export interface TraitValue {
  readonly value: string;
  readonly count: number;
}

/** A trait that some token has. */
export interface Trait {
  readonly name: string;
  /** Those that most tokens have first, and then by their text. */
  readonly values: readonly TraitValue[];
  /** The least value and the greatest if all are numbers, or texts of numbers. */
  readonly range: { readonly min: number; readonly max: number } | undefined;
}

/** Different values of all traits together: beyond, tokens that anybody can make would fill the memory. */
export const mostValues = 100_000;

/** Documents that are counted in a turn. */
const aTurn = 100;

const numberForm = /^-?\d{1,30}(\.\d{1,30})?$/;

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

type Counts = Map<string, Map<string, number>>;

/** The attributes of a token, each once. */
function distinct(attributes: readonly Attribute[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>();
  for (const { trait, value } of attributes) {
    if (trait === undefined) continue;
    values.set(trait, (values.get(trait) ?? new Set()).add(value));
  }
  return values;
}

function rangeOf(values: readonly TraitValue[]): Trait['range'] {
  if (!values.every(({ value }) => numberForm.test(value))) return undefined;
  const numbers = values.map(({ value }) => Number(value));
  const least = (a: number, b: number) => Math.min(a, b);
  const greatest = (a: number, b: number) => Math.max(a, b);
  return { min: numbers.reduce(least), max: numbers.reduce(greatest) };
}

function toTrait([name, counts]: readonly [string, ReadonlyMap<string, number>]): Trait {
  const values = [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byText(a.value, b.value));
  return { name, values, range: rangeOf(values) };
}

/**
 * Traits in the order of their names.
 *
 * @param pause awaited between pieces
 * @returns undefined if there are more values than are counted
 */
export async function countTraits(
  documents: readonly NftDocument[],
  pause: () => Promise<void>,
): Promise<Trait[] | undefined> {
  const counts: Counts = new Map();
  let size = 0;
  for (const [i, { attributes }] of documents.entries()) {
    if (i % aTurn === 0) await pause();
    for (const [trait, values] of distinct(attributes)) {
      const known = counts.get(trait) ?? new Map<string, number>();
      counts.set(trait, known);
      for (const value of values) {
        const count = known.get(value) ?? 0;
        if (count === 0 && ++size > mostValues) return undefined;
        known.set(value, count + 1);
      }
    }
  }
  await pause();
  return [...counts].map(toTrait).sort((a, b) => byText(a.name, b.name));
}
