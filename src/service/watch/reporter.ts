/** Counts each request and logs it. */
import type { ServiceLog } from '../http/log.js';
import type { ServiceMetrics } from './metrics.js';
import { createWrongKeyLog } from './wrongKeys.js';

/** How a request ended. */
interface Ending {
  readonly status: number;
  /** JSON-RPC code of the error; 0 if there is no error. Undefined if the route has no such codes. */
  readonly code: number | undefined;
  /** From its arrival on. */
  readonly seconds: number;
  /** Place of the key; undefined if it has none. */
  readonly keyIndex: number | undefined;
}

interface Reporter {
  /** @param title the text of the line in the log @param details what else it says */
  report(title: string, ending: Ending, details: object): void;
  /** Logs what was only counted so far. */
  flush(): void;
}

export function createReporter(
  log: ServiceLog | undefined,
  metrics: ServiceMetrics | undefined,
): Reporter {
  const wrongKeys = createWrongKeyLog(log);
  return {
    report(title, { status, code, seconds, keyIndex }, details) {
      metrics?.answered(status, code ?? 0, seconds);
      const ms = Math.round(seconds * 1e5) / 100;
      const key = keyIndex === undefined ? undefined : keyIndex + 1;
      const fields = { status, code, ms, key, ...details };
      if (status === 401) wrongKeys.note(fields);
      else if (status >= 500) log?.warn(fields, title);
      else log?.info(fields, title);
    },
    flush: () => wrongKeys.flush(),
  };
}
