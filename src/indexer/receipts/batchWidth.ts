/** How many blocks are asked for at a time. */

/** Blocks of a batch at most. */
const maxWidth = 50;

interface BatchWidth {
  get(): number;
  /** The node refused so many blocks. */
  refused(blocks: number): void;
  answered(): void;
}

/** As many as may be, until the node refuses; then with care. A node that refuses two blocks is asked for each alone. */
export function createBatchWidth(): BatchWidth {
  let width = maxWidth;
  let most = maxWidth;
  return {
    get: () => width,
    refused(blocks) {
      width = Math.max(1, Math.floor(blocks / 2));
      if (blocks <= 2) most = 1;
    },
    answered() {
      width = Math.min(most, width + Math.ceil(width / 8));
    },
  };
}
