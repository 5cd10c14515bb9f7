/** Runs before each test file in the copy: leaves out one check, and notes which tests meet which checks. */
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, inject } from 'vitest';

const leftOut = inject('leftOut');
const notes = inject('notes');
const begin = performance.now();
/** Check -> ids of the tests that meet it; '' for what is met outside of tests, as on import. */
const met = new Map<number, Set<string>>();
let running = '';

function note(id: number): false {
  const tests = met.get(id);
  if (tests === undefined) met.set(id, new Set([running]));
  else tests.add(running);
  return false;
}

Object.assign(globalThis, {
  isLeftOut: notes === '' ? (id: number): boolean => id === leftOut : note,
});

beforeEach(({ task }) => {
  running = task.id;
});
afterEach(() => {
  running = '';
});
afterAll(() => {
  if (notes === '') return;
  const ms = performance.now() - begin;
  const checks = [...met].map(([id, tests]) => [id, [...tests]]);
  writeFileSync(notes, JSON.stringify({ ms, checks }));
});
