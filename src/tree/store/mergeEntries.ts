/** Two lists of entries in one order as one. */
import { compareKeys } from './keys.js';
import type { Entry, Range } from './store.js';

/**
 * The first entries of both lists; of two with one key, the one that lies over the other counts.
 *
 * @param over may have values of other kinds, such as one that says that there is no entry
 */
export function mergeEntries<E extends { readonly key: Uint8Array }>(
  over: readonly E[],
  under: readonly Entry[],
  { limit, reverse }: Pick<Range, 'limit' | 'reverse'>,
): (E | Entry)[] {
  const all: (E | Entry)[] = [];
  let [i, j] = [0, 0];
  while (all.length < limit) {
    const [upper, lower] = [over.at(i), under.at(j)];
    if (upper === undefined && lower === undefined) break;
    const order = upper && lower ? compareKeys(upper.key, lower.key) : 0;
    const isUpper = upper && (!lower || order === 0 || order < 0 !== reverse);
    all.push(isUpper ? upper : (lower as Entry));
    if (isUpper) i++;
    if (!isUpper || (lower && order === 0)) j++;
  }
  return all;
}
