/** How many blocks a node is asked for at a time: as many as it answers. */

/** Blocks that are asked for at first, and at most: providers commonly refuse more. */
const firstWidth = 64;
const maxWidth = 10_000;

/** Logs of an answer that is long enough; two such answers are held at a time. */
const manyLogs = 4000;

interface Width {
  get(): number;
  /** The node refused so many blocks. */
  refused(blocks: number): void;
  answered(blocks: number, logs: number): void;
}

/** Twice as many each time until the node refuses; then with care. */
export function createWidth(): Width {
  let width = firstWidth;
  let hasRefused = false;
  return {
    get: () => width,
    refused(blocks: number) {
      hasRefused = true;
      width = Math.max(1, Math.floor(blocks / 2));
    },
    answered(blocks: number, logs: number) {
      const growth = hasRefused ? Math.ceil(width / 8) : width;
      const fitting = Math.max(1, Math.floor((blocks * manyLogs) / Math.max(logs, 1)));
      width = Math.min(width + growth, fitting, maxWidth);
    },
  };
}
