/** Structured log lines. */
import { loadPeer } from './peers.js';
import type { ServiceLog } from './service.js';

/** Levels from the most to the fewest lines. */
export const logLevels = ['info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** JSON lines on standard output. @throws ServiceError `MISSING_PEER` */
export async function createLog(level: LogLevel = 'info'): Promise<ServiceLog> {
  const { pino } = await loadPeer('pino', import('pino'));
  const log: ServiceLog = pino({ level, base: null });
  return log;
}
