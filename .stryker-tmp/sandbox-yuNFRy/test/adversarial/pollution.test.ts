/** A polluted `Object.prototype` changes no outcome. In a process of its own: a test runner would not survive it. */
// @ts-nocheck

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { patience } from '../support/runs.js';

test(
  'every outcome is the one of a clean prototype: of one call, a verifier, a batch, the pool, traces and the tree',
  async () => {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'test/support/polluted.ts'],
      { maxBuffer: 1 << 26 },
    );
    expect(stderr).toBe('');
    const { checked, differing } = JSON.parse(stdout);
    expect(differing).toEqual([]);
    expect(checked).toBeGreaterThan(9000);
  },
  patience,
);
