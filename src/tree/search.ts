/** Search in what is sorted. */

/**
 * Index of the first of some items for which a test holds; their count if it holds for none.
 *
 * @param holds is true of all items behind one that it is true of
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
