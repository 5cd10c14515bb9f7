/** Reads that are on their way at the same time. */

/** Reads of one chunk, at most. */
const chunkSize = 1024;

/**
 * Waits for all, as `Promise.all` does, but where one fails for the others too: none may go on reading a snapshot that
 * is released, or a store that is closed, by then.
 */
export async function together<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(reads);
  return Promise.all(reads);
}

/** Runs a read for each item, some of them at a time. */
export async function readEach<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += chunkSize) {
    const some = await together(items.slice(at, at + chunkSize).map(read));
    for (const result of some) results.push(result);
  }
  return results;
}
