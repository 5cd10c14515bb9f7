/** Structured log lines. */
import { visible } from '../../visible.js';
import { loadServicePeer } from './peers.js';

/** Where structured lines go; a logger of pino is one. No key, address or body is ever among the fields. */
export interface ServiceLog {
  /** Something that is usual: a request, the start, the end. */
  info(fields: object, message: string): void;
  /** Something that the operator should look at. */
  warn(fields: object, message: string): void;
  /** Something that failed inside. */
  error(fields: object, message: string): void;
}

/** @throws TypeError unless a caller's object has functions of these names */
export function checkFunctions(given: object, names: readonly string[], what: string): void {
  const found = Object(given) as Record<string, unknown>;
  if (names.every((name) => typeof found[name] === 'function')) return;
  throw new TypeError(`"${what}" expected an object with functions ${names.join(', ')}`);
}

/** A wrong one would be missed only when a line is written, and the request with it. @throws TypeError */
export function checkLog(log: ServiceLog | undefined): void {
  if (log !== undefined) checkFunctions(log, ['info', 'warn', 'error'], 'log');
}

/** Levels from the most to the fewest lines. */
export const logLevels = ['info', 'warn', 'error', 'silent'] as const;
/** From which level on lines are written. */
export type LogLevel = (typeof logLevels)[number];

/** Characters of lines that wait to be written: on a full disk they are tried again with each line, and more are left out. */
const maxWaiting = 1 << 20;

/** JSON lines on standard output. If they cannot be written, a warning of the process says so, once. @throws ServiceError `MISSING_PEER`; TypeError for another level */
export async function createLog(level: LogLevel = 'info'): Promise<ServiceLog> {
  if (!logLevels.includes(level)) throw new TypeError(`"level" expected ${logLevels.join(', ')}`);
  const { pino } = await loadServicePeer('pino', import('pino'));
  const output = pino.destination({ dest: 1, maxLength: maxWaiting });
  let isTold = false;
  // A service goes on without its log.
  output.on('error', (error: Error) => {
    if (!isTold) process.emitWarning(`lines of the log are lost: ${error.message}`);
    isTold = true;
    // At the end of the process it would try for ever.
    output.flushSync = () => {};
  });
  // Texts of nodes and stores are in the lines. What cannot be seen is escaped, which leaves the JSON the same value.
  const destination = { write: (line: string) => output.write(`${visible(line.trimEnd())}\n`) };
  const log: ServiceLog = pino({ level, base: null }, destination);
  return log;
}
