/** The work of a worker, the same on every platform. */
import { verifyProofs } from '../index.js';
import type { Job } from './job.js';
import { encodeOutcomes, type Reply } from './reply.js';

/** Verifies the items of one job. */
export function work(job: Job): Reply {
  return encodeOutcomes(verifyProofs(job));
}
