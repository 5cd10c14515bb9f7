/** A thread of `l2proof verify --ndjson --jobs N`: it answers each batch of lines with what came of them. */
import { parentPort } from 'node:worker_threads';
import { type BatchJob, verifyBatch } from './ndjson/batch.js';

parentPort?.on('message', (job: BatchJob) => parentPort?.postMessage(verifyBatch(job)));
