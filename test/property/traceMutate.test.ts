/**
 * Every edit of a true run of blocks is refused, by the code of the law that it breaks: the one that the second verifier,
 * written from the page alone, names.
 */
import { describe, expect, test, vi } from 'vitest';
import type { openKernel } from '../../src/hash/kernel.js';
import { verifyTransition } from '../../src/trace/index.js';
import { hashOnce } from '../support/hashOnce.js';
import { verifyTracesByPage } from '../support/protocolTraces.js';
import { digits, moduli } from '../support/reference.js';
import { codeOfRefusal, traceRefusalByPage } from '../support/refusals.js';
import { families, patience, type Wire } from '../support/runs.js';
import { type Block, leavesOf, savedBlocks, savedRun } from '../support/traces.js';

vi.mock('../../src/hash/kernel.js', async (load) => {
  const kernel = await load<{ openKernel: typeof openKernel }>();
  return {
    openKernel: (...args: Parameters<typeof openKernel>) => {
      const hasher = kernel.openKernel(...args);
      return { ...hasher, hash: hashOnce(hasher.hash) };
    },
  };
});

type Run = Omit<Block, 'traces'>;

/** Name of the class, or the code, that blocks are refused with; undefined if they are accepted. */
const refusal = (traces: Wire, { family, parentRoot, endRoot }: Run) =>
  codeOfRefusal(() => verifyTransition(traces, { parentRoot, endRoot, hash: family }));

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
  /** Every how many siblings and bytes of a key are edited; MiMC takes its time. */
  const stride = process.env.DEEP ? 1 : family === 'mimc' ? 100 : 20;
  /** How often each other member of a kind of trace is. */
  const most = process.env.DEEP ? Number.POSITIVE_INFINITY : family === 'mimc' ? 1 : 3;

  /** Holds an edited block to what the page says of it. @returns the code that it is refused with */
  function hold(traces: Wire, run: Run, edit: string): string | undefined {
    const code = traceRefusalByPage([traces], run);
    expect(refusal([traces], run), edit).toBe(code);
    return code;
  }

  test('a run verified in parts is the run verified at once', () => {
    for (const block of blocks) expect(hold(block.traces, block, 'none')).toBeUndefined();
    const { traces, claim } = savedRun(family);
    expect(verifyTracesByPage(traces, { family, ...claim })).toEqual(
      blocks.map(({ endRoot }) => endRoot),
    );
  });

  test(
    'an edit of any text or number is refused, the key of an absence alone apart',
    () => {
      const tried = new Map<string, number>();
      for (const block of blocks) {
        for (const [i, { holder, name, path }] of leavesOf(block.traces, 'traces').entries()) {
          if (holder.type === 1 && name === 'key') continue;
          const isSibling = Array.isArray(holder);
          if (isSibling && i % stride !== 0) continue;
          const { type, location } = block.traces[Number(/\d+/.exec(path))];
          const kind = `${type} ${location.length} ${path.replaceAll(/\[\d+\]/g, '')}`;
          const times = tried.get(kind) ?? 0;
          if (!isSibling && times >= most) continue;
          tried.set(kind, times + 1);
          const value = holder[name];
          for (const edit of editsOf(value)) {
            holder[name] = edit;
            expect(hold(block.traces, block, `${path}: ${value} -> ${edit}`)).toBeDefined();
          }
          holder[name] = value;
        }
        expect(hold(block.traces, block, 'none')).toBeUndefined();
      }
      expect(tried.size).toBeGreaterThan(150);
    },
    patience,
  );

  test(
    "the key of an absence may be changed for another absent one's, and no further",
    () => {
      const codes = new Set<string | undefined>();
      for (const block of blocks) {
        for (const trace of block.traces.filter(({ type }) => type === 1)) {
          const { key } = trace;
          for (let byte = 0; byte < (key.length - 2) / 2; byte += stride) {
            trace.key = flip(key, byte);
            codes.add(hold(block.traces, block, `${key} -> ${trace.key}`));
          }
          trace.key = key;
        }
      }
      expect([...codes].sort()).toEqual(['KEY_NOT_BETWEEN', undefined]);
    },
    patience,
  );

  test(
    'p added to a digest anywhere is refused by its shape',
    () => {
      const size = family === 'mimc' ? 64 : 8;
      let tried = 0;
      for (const block of blocks) {
        for (const [i, { holder, name, path }] of leavesOf(block.traces, 'traces').entries()) {
          if (holder.length !== 40 && !/^hkey$|^hval$|ubRoot$/.test(name)) continue;
          if (Array.isArray(holder) && !process.env.DEEP && i % 7 !== 0) continue;
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
      expect(tried).toBeGreaterThan(500);
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
          const isTold = owner?.type !== 4;
          expect(hold(without(traces, i), block, name) !== undefined, name).toBe(isTold);
          expect(hold(doubled(traces, i), block, name), name).toBeDefined();
          const next = traces.findIndex(
            (other, at) => at > i && isWrite(other) && other.location === trace.location,
          );
          if (next < 0) return;
          expect(hold(exchanged(traces, i, next), block, name), name).toBeDefined();
        });
      }
    },
    patience,
  );

  test(
    'a read put to a place at which its tree is another is refused',
    () => {
      let tried = 0;
      for (const [at, block] of blocks.entries()) {
        for (const [i, trace] of block.traces.entries()) {
          if (isWrite(trace)) continue;
          for (const other of blocks) {
            if (other === block || block.endRoot === other.parentRoot) continue;
            if (other.traces.length === 0 || blocks.indexOf(other) < at) continue;
            const traces = [trace, ...other.traces];
            expect(hold(traces, other, `${at}, ${i}`), `${at}, ${i}`).toBeDefined();
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
      const run = { family, ...(claim as Required<typeof claim>) };
      const check = (edited: Wire[]) => {
        const code = traceRefusalByPage(edited, run);
        expect(code).toBeDefined();
        expect(refusal(edited, run)).toBe(code);
        return code;
      };
      const changes = (i: number) => blocks[i]?.parentRoot !== blocks[i]?.endRoot;
      for (const i of traces.keys()) {
        if (!changes(i)) continue;
        check(without(traces, i));
        check(doubled(traces, i));
        for (const j of traces.keys()) {
          if (j > i && changes(j)) check(exchanged(traces, i, j));
        }
      }
      // The first of them breaks at the parent root, a last one left out only at the end root.
      expect(check(traces.slice(1))).toBe('PARENT_ROOT_MISMATCH');
      expect(check(traces.slice(0, -1))).toBe('END_ROOT_MISMATCH');
      expect(check([])).toBe('END_ROOT_MISMATCH');
    },
    patience,
  );
});
