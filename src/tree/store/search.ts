/** Search in sorted lists. */

/**
 * Index of the first of some items for which a test holds; their count if it holds for none.
 *
 * @param holds if it is true of an item, it is true of all items behind it
 */
export function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
