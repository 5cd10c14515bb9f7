/** Runs before each test file in the copy: leaves out one check, and notes which checks the file meets. */
import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const leftOut = Number(process.env.LEFT_OUT ?? -1);
const met = new Set<number>();
const begin = performance.now();

Object.assign(globalThis, {
  isLeftOut(id: number): boolean {
    met.add(id);
    return id === leftOut;
  },
});

afterAll(() => {
  const path = process.env.MET_FILE;
  if (path === undefined) return;
  const suite = expect.getState().testPath;
  const ms = performance.now() - begin;
  appendFileSync(path, `${JSON.stringify({ suite, ms, met: [...met] })}\n`);
});
