/** Every edit of a true run of blocks is refused, by an error that the verifier foresees. */
// @ts-nocheck

import { describe, expect, test } from 'vitest';
import { ShapeError, VerificationError } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { digits, moduli } from '../support/reference.js';
import { families, patience, runsOf } from '../support/runs.js';
import { type Block, leavesOf, savedBlocks, savedRun } from '../support/traces.js';

/** Name of the class, or the code, that a block is refused with; undefined where it is accepted. */
function refusal({ family, traces, parentRoot, endRoot }: Block): string | undefined {
  try {
    verifyTransition([traces], { parentRoot, endRoot, hash: family });
    return undefined;
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    if (error instanceof ShapeError) return 'ShapeError';
    throw error;
  }
}

/** One byte of hex exchanged for another. */
function flip(text: string, byte: number, mask = 1): string {
  const at = 2 + 2 * byte;
  const changed = Number.parseInt(text.slice(at, at + 2), 16) ^ mask;
  return text.slice(0, at) + changed.toString(16).padStart(2, '0') + text.slice(at + 2);
}

/** Other values for a text or number of a trace. */
function editsOf(value: string | number): (string | number)[] {
  if (typeof value === 'number') return [value - 1, value + 1];
  if (value === '0x') return [`0x${'00'.repeat(20)}`];
  const last = value.length / 2 - 2;
  // The last byte is the lowest of an element, so that the edit stays one; and one byte anywhere.
  return process.env.DEEP ? [flip(value, last), flip(value, last >> 1, 0x11)] : [flip(value, last)];
}

/** Copies of a list, with one entry left out, doubled, or two exchanged. */
const without = <T>(list: readonly T[], i: number): T[] => list.filter((_, at) => at !== i);
const doubled = <T>(list: readonly T[], i: number): T[] =>
  list.flatMap((entry, at) => (at === i ? [entry, entry] : [entry]));
const exchanged = <T>(list: readonly T[], i: number, j: number): T[] =>
  list.map((entry, at) => list[at === i ? j : at === j ? i : at] ?? entry);

const isWrite = (trace: { type: number }) => trace.type >= 2;

describe.each(families)('%s', (family) => {
  const blocks = savedBlocks(family);
  /** Fewer edits where fewer runs are asked for, and under MiMC, where each takes its time. */
  const stride = Math.max(1, Math.round((family === 'mimc' ? 200 : 100) / runsOf(family).numRuns));

  test('a run verified in parts is the run verified at once', () => {
    for (const block of blocks) expect(refusal(block)).toBeUndefined();
  });

  test(
    'an edit of any text or number is refused, the key of an absence alone apart',
    () => {
      let tried = 0;
      for (const block of blocks) {
        for (const [i, { holder, name, path }] of leavesOf(block.traces, 'traces').entries()) {
          if (holder.type === 1 && name === 'key') continue;
          if (i % stride !== 0) continue;
          const value = holder[name];
          for (const edit of editsOf(value)) {
            holder[name] = edit;
            expect(refusal(block), `${path}: ${value} -> ${edit}`).toBeDefined();
            tried++;
          }
          holder[name] = value;
        }
        expect(refusal(block)).toBeUndefined();
      }
      expect(tried).toBeGreaterThan(3000 / stride);
    },
    patience,
  );

  test(
    "the key of an absence may be changed for another absent one's, and no further",
    () => {
      let accepted = 0;
      for (const block of blocks) {
        for (const trace of block.traces.filter(({ type }) => type === 1)) {
          const { key } = trace;
          for (let byte = 0; byte < (key.length - 2) / 2; byte += stride) {
            trace.key = flip(key, byte);
            if (refusal(block) === undefined) accepted++;
            else
              expect(['KEY_NOT_BETWEEN', 'STORAGE_TIE', 'STORAGE_WITHOUT_ACCOUNT']).toContain(
                refusal(block),
              );
          }
          trace.key = key;
        }
      }
      expect(accepted).toBeGreaterThan(0);
    },
    patience,
  );

  test(
    'p added to a digest anywhere is refused by its shape',
    () => {
      const size = family === 'mimc' ? 64 : 8;
      let tried = 0;
      for (const block of blocks) {
        for (const { holder, name, path } of leavesOf(block.traces, 'traces')) {
          if (holder.length !== 40 && !/^hkey$|^hval$|ubRoot$/.test(name)) continue;
          const value = holder[name] as string;
          const element = BigInt(`0x${value.slice(2, 2 + size)}`) + moduli[family];
          holder[name] = `0x${digits(element, size / 2)}${value.slice(2 + size)}`;
          tried++;
          const { parentRoot } = block;
          expect(() => verifyTransition([block.traces], { parentRoot, hash: family })).toThrow(
            expect.objectContaining({
              name: 'ShapeError',
              path: path.replace('traces', 'traces[0]'),
            }),
          );
          holder[name] = value;
        }
      }
      expect(tried).toBeGreaterThan(3000);
    },
    patience,
  );

  test(
    'a write left out, doubled or exchanged with the next of its tree is refused',
    () => {
      for (const block of blocks) {
        const { traces } = block;
        traces.forEach((trace, i) => {
          if (!isWrite(trace)) return;
          const name = `${i} of ${traces.length}`;
          const owner = traces.find(({ key }, at) => at > i && key === trace.location);
          // What storage held at its account's end is told by nothing, and proves nothing.
          if (owner?.type !== 4) {
            expect(refusal({ ...block, traces: without(traces, i) }), name).toBeDefined();
          }
          expect(refusal({ ...block, traces: doubled(traces, i) }), name).toBeDefined();
          const next = traces.findIndex(
            (other, at) => at > i && isWrite(other) && other.location === trace.location,
          );
          if (next < 0) return;
          expect(refusal({ ...block, traces: exchanged(traces, i, next) }), name).toBeDefined();
        });
      }
    },
    patience,
  );

  test(
    'a read put where its tree is another is refused',
    () => {
      let tried = 0;
      for (const [at, block] of blocks.entries()) {
        for (const [i, trace] of block.traces.entries()) {
          if (isWrite(trace)) continue;
          for (const other of blocks) {
            if (other === block || block.endRoot === other.parentRoot) continue;
            if (other.traces.length === 0 || blocks.indexOf(other) < at) continue;
            const traces = [trace, ...other.traces];
            expect(refusal({ ...other, traces }), `${at}, ${i}`).toBeDefined();
            tried++;
          }
        }
      }
      expect(tried).toBeGreaterThan(0);
    },
    patience,
  );

  test(
    'blocks left out, doubled or exchanged are refused',
    () => {
      const { traces, claim } = savedRun(family);
      const verify = (edited: unknown) => () => verifyTransition(edited, claim);
      const changes = (i: number) => blocks[i]?.parentRoot !== blocks[i]?.endRoot;
      for (const i of traces.keys()) {
        if (!changes(i)) continue;
        expect(verify(without(traces, i))).toThrow(VerificationError);
        expect(verify(doubled(traces, i))).toThrow(VerificationError);
        for (const j of traces.keys()) {
          if (j <= i || !changes(j)) continue;
          expect(verify(exchanged(traces, i, j))).toThrow(VerificationError);
        }
      }
      // The first of them breaks at the parent root, a last one left out only at the end root.
      expect(verify(traces.slice(1))).toThrow(/PARENT_ROOT_MISMATCH/);
      expect(verify(traces.slice(0, -1))).toThrow(/END_ROOT_MISMATCH/);
      expect(verify([])).toThrow(/END_ROOT_MISMATCH/);
    },
    patience,
  );
});
