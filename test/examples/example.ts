/** A folder of `examples`, copied from the tarball into an empty one, and what its README says. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Hex } from '../../src/bytes.js';
import { anvilAt } from '../support/anvil.js';
import { newFolder } from '../support/folder.js';
import { blocksOf } from '../support/pages.js';
import { toPorts } from './devnet.js';
import { type Running, startLine } from './shell.js';

export const shared = inject('shared');
export const [l1, l2] = [anvilAt(shared.l1), anvilAt(shared.l2)] as const;
export const bob = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const alice = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const dollar: Hex = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** What a line printed that has ended. */
export interface Outcome {
  readonly code: number | null;
  readonly text: string;
}

export interface Example {
  readonly folder: string;
  /** The lines of the first block of shell that has a word in it, with the ports of this run. */
  lines(word: string): string[];
  /** What the README says that is shown: its first block of text. */
  readonly shows: string;
  /** The blocks of shell whose lines no test has asked for, but the one that starts the devnet. */
  unused(): string[];
  /** Runs a line to its end. */
  run(line: string, env?: NodeJS.ProcessEnv): Promise<Outcome>;
  /** Starts a line that goes on. */
  start(line: string, env?: NodeJS.ProcessEnv): Running;
  read(file: string): string;
  /** Changes a file as a reader edits it. */
  edit(file: string, change: (text: string) => string): void;
}

export function copyExample(name: string): Example {
  const parent = newFolder();
  const folder = join(parent, name);
  mkdirSync(folder);
  const inside = `package/examples/${name}`;
  const args = ['-xzf', shared.tarball, '-C', folder, '--strip-components', '3', inside];
  execFileSync('tar', args);
  for (const file of readdirSync(folder).map((each) => join(folder, each))) {
    if (statSync(file).isFile() && !file.endsWith('.md')) {
      writeFileSync(file, toPorts(readFileSync(file, 'utf8'), shared.port), {
        mode: statSync(file).mode,
      });
    }
  }
  const blocks = blocksOf(join(folder, 'README.md'));
  const [begin, ...scripts] = blocks.filter(({ language }) => language === 'sh');
  const left = new Set(scripts);
  const start = (line: string, env: NodeJS.ProcessEnv = {}) =>
    startLine(line, folder, { ...shared.npm, ...env });
  return {
    folder,
    lines(word) {
      const block = scripts.find(({ code }) => code.includes(word));
      if (block === undefined) throw new Error(`${name} has no block with ${word}, but ${begin}`);
      left.delete(block);
      const code = toPorts(block.code, shared.port);
      // A line that ends with a backslash or a pipe goes on.
      return code.trimEnd().split(/(?<![\\|])\n/);
    },
    shows: blocks.find(({ language }) => language === 'text')?.code ?? '',
    unused: () => [...left].map(({ code }) => code),
    async run(line, env) {
      const running = start(line, env);
      return { code: await running.ended, text: running.said.text };
    },
    start,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    edit: (file, change) =>
      writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8'))),
  };
}
