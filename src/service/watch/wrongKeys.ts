/** Wrong keys in the log: guessing keys must not fill the disk. */
import type { ServiceLog } from '../http/log.js';

/** Ms that one line stands for. */
const interval = 10_000;

interface WrongKeyLog {
  /** Logs the first wrong key in a while as it is, and counts the others. */
  note(fields: object): void;
  /** Logs what was counted so far. */
  flush(): void;
}

/** Writes at most two lines an interval, however many wrong keys come. */
export function createWrongKeyLog(log: ServiceLog | undefined): WrongKeyLog {
  let counted = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): void {
    timer = setTimeout(end, interval);
    // The timer must not keep the process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  function flush(): void {
    if (counted > 0) log?.warn({ count: counted }, 'more requests with wrong keys');
    counted = 0;
  }

  function end(): void {
    timer = undefined;
    if (counted > 0) start();
    flush();
  }

  return {
    note(fields) {
      if (timer !== undefined) counted += 1;
      else {
        log?.info(fields, 'request');
        start();
      }
    },
    flush,
  };
}
