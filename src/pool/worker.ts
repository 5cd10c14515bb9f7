/** What runs in a worker: as the function that piscina calls, or as a Web Worker that answers messages. */
import { verifyProofs } from '../index.js';
import { type Job, unpackJob } from './job.js';
import { encodeOutcomes, type Reply } from './reply.js';

/** Verifies the items of one job. */
export default function work(job: Job): Reply {
  return encodeOutcomes(verifyProofs(unpackJob(job)));
}

if ('WorkerGlobalScope' in globalThis) {
  self.onmessage = ({ data }: MessageEvent<Job>) => self.postMessage(work(data));
}
