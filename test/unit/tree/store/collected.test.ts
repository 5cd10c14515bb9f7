/** What a read makes is gone with the next collection of new objects. What outlives it is copied twice and then stays until a full one. */
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { scriptOf } from '../../../support/processes.js';

/** Bytes of each read that outlive a collection, in rounds. In memory: the package `lmdb` itself keeps some hundred for each range. */
let bytes: Record<'newestBlock' | 'finalBlock', number[]>;
beforeAll(() => {
  const script = scriptOf('test/support/collectedChild.ts');
  bytes = JSON.parse(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' }));
});

test.each(['newestBlock', 'finalBlock'] as const)('%s keeps nothing', (read) => {
  expect(bytes[read]).toHaveLength(6);
  // Of what is spread before other members, `{ ...range, limit }`, Node 20 kept 220 to 640 bytes a read.
  // A full collection within a round makes it far less than nothing: that says as little as much more.
  expect(Math.min(...bytes[read].map(Math.abs))).toBeLessThan(60);
});
