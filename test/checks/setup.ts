/** Runs before each test file in the copy: leaves out one check, and notes which tests meet which checks. */
import { appendFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';

const leftOut = Number(process.env.LEFT_OUT ?? -1);
const begin = performance.now();
/** Check -> the tests that meet it; '' for what is met outside of tests, as on import. */
const met = new Map<number, Set<string>>();
let running = '';

Object.assign(globalThis, {
  isLeftOut(id: number): boolean {
    const tests = met.get(id);
    if (tests === undefined) met.set(id, new Set([running]));
    else tests.add(running);
    return id === leftOut;
  },
});

beforeEach(() => {
  running = expect.getState().currentTestName ?? '';
});
afterEach(() => {
  running = '';
});
afterAll(() => {
  const path = process.env.MET_FILE;
  if (path === undefined) return;
  const suite = expect.getState().testPath;
  const ms = performance.now() - begin;
  const checks = [...met].map(([id, tests]) => [id, [...tests]]);
  appendFileSync(path, `${JSON.stringify({ suite, ms, checks })}\n`);
});
