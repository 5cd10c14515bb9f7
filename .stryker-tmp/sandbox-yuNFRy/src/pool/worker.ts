/** A Web Worker: it answers each message with one. */
// @ts-nocheck

import type { Job } from './job.js';
import { work } from './work.js';

self.onmessage = ({ data }: MessageEvent<Job>) => self.postMessage(work(data));
