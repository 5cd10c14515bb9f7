/** Real processes that have a store open. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';
import { longestWait } from './until.js';

export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has said so far, a line each. */
  readonly lines: readonly string[];
  /** Its next line that begins with a word. Fails if the process ends before, or is silent for a minute. */
  next(word: string): Promise<string>;
  /** Resolves once it has ended and all of its lines are there. */
  readonly end: Promise<{ code: number | null; signal: string | null; stderr: string }>;
}

/** Starts `lmdbChild.ts`; it runs what is built. */
export const startChild = (...args: string[]): Child =>
  startScript('test/support/lmdbChild.ts', ...args);

/** Scripts of ours -> what was built of them. */
const built = new Map<string, string>();
let folder: string | undefined;

/** A folder beside whose files stands what a script of ours imports, as in the project. */
function newRoot(): string {
  const root = mkdtempSync(join(process.env.SHARED_FOLDER as string, 'scripts-'));
  for (const name of ['dist', 'node_modules']) symlinkSync(resolve(name), join(root, name));
  return root;
}

/**
 * A script of ours as one file of JavaScript: tests start it often, and its start with the loader of `tsx` takes three
 * times the work. What is built and what is installed stays outside.
 */
export function scriptOf(path: string): string {
  const known = built.get(path);
  if (known !== undefined) return known;
  folder ??= newRoot();
  const file = join(folder, path, '..', `${basename(path, '.ts')}.mjs`);
  buildSync({
    entryPoints: [path],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    packages: 'external',
    external: ['../../dist/*'],
    logLevel: 'error',
  });
  built.set(path, file);
  return file;
}

/** Starts a script of ours. */
export function startScript(path: string, ...args: string[]): Child {
  const child = spawn(process.execPath, [scriptOf(path), ...args]);
  const lines: string[] = [];
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  let isOver = false;
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    wake();
  });
  const end = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    wake();
    return { code, signal, stderr };
  });
  let seen = 0;
  return {
    process: child,
    lines,
    end,
    async next(word) {
      for (;;) {
        for (; seen < lines.length; seen++) {
          const line = lines[seen] as string;
          if (line.split(' ')[0] === word) {
            seen++;
            return line;
          }
        }
        if (isOver)
          throw new Error(`the process ended before "${word}": ${lines.at(-1)} ${stderr}`);
        await new Promise<void>((resolve, reject) => {
          const one = () => {
            waiting.delete(one);
            clearTimeout(timer);
            resolve();
          };
          const late = () =>
            reject(new Error(`the process said nothing in a minute; not "${word}"`));
          const timer = setTimeout(late, longestWait);
          waiting.add(one);
        });
      }
    },
  };
}
