/** Runs every vector file of the folders in `VECTORS_DIRS`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { specOf } from '../../src/codec/spec.js';
import type { Engine } from '../../src/index.js';
import { accountProofCases } from './accountProofs.js';
import { chainCases } from './chains.js';
import { compactCases } from './compact.js';
import { emptySubtreeCases, hashCases } from './hashes.js';
import { type Case, familyOf, type VectorFile } from './kinds.js';
import type { JsonObject } from './members.js';
import { getProofCases, mutationCases, proofCases } from './proofs.js';
import { scriptCases } from './scripts.js';
import { traceCases } from './traces.js';

/** How each kind is handled. */
const handlers: Record<string, (file: VectorFile) => Case[]> = {
  hashes: hashCases,
  'empty-subtrees': emptySubtreeCases,
  getProof: getProofCases,
  accountProof: accountProofCases,
  proof: proofCases,
  mutations: mutationCases,
  'accumulator-script': scriptCases,
  traces: traceCases,
  chain: chainCases,
  compact: compactCases,
};

/** What came of the files of one kind in one folder. */
export interface Row {
  folder: string;
  kind: string;
  files: number;
  cases: number;
  passed: number;
  /** Left out, because nothing here does what they need. */
  skipped: number;
}

const defaultFolders = ['vectors', '../shared/vectors', '../shared/chains'];

/** The folders that a variable names, or those of the default ones that exist. */
export function foldersOf(variable: string, defaults: readonly string[]): string[] {
  const named = process.env[variable];
  const folders = named ? named.split(':') : defaults.filter((folder) => existsSync(folder));
  for (const folder of folders) {
    if (!existsSync(folder)) throw new Error(`${variable} names "${folder}", which is not there`);
  }
  return folders;
}

/** The folders to run. */
export const vectorFolders = (): string[] => foldersOf('VECTORS_DIRS', defaultFolders);

/** All vector files at or below a folder. */
export function loadFolder(folder: string, engine?: Engine): VectorFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => loadFile(folder, name, engine));
}

/** One vector file. */
export function loadFile(folder: string, name: string, engine?: Engine): VectorFile {
  const json = JSON.parse(readFileSync(join(folder, name), 'utf8')) as JsonObject;
  const directory = join(folder, name, '..');
  return {
    name,
    json,
    // A file of a kind that knows no family names none.
    get spec() {
      return specOf(familyOf(json.hash as string), engine);
    },
    engine,
    sibling: (other) => loadFile(directory, other, engine),
  };
}

/** What came of one file. */
interface Outcome {
  cases: number;
  /** Of each case that failed: its name, and why. */
  failures: string[];
}

/** Runs the cases of one file. */
export async function runFile(file: VectorFile): Promise<Outcome> {
  const failures: string[] = [];
  const attempt = async (name: string, action: () => void | Promise<void>): Promise<void> => {
    try {
      await action();
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
    }
  };
  let cases: Case[] = [];
  await attempt('file', () => {
    const { kind } = file.json;
    const handler = handlers[String(kind)];
    if (handler === undefined) throw new Error(`kind "${kind}" is not known to this runner`);
    cases = handler(file);
    if (cases.length === 0) throw new Error('holds no case');
  });
  for (const { name, run } of cases) await attempt(name, run);
  return { cases: Math.max(1, cases.length), failures };
}

/** All that a file says, with the file that it builds on. */
const contentOf = ({ json, sibling }: VectorFile): string =>
  JSON.stringify(typeof json.base === 'string' ? [json, sibling(json.base).json] : json);

/**
 * Runs all files; a file of an unknown kind or member counts as one failed case. Files that say the same, in two
 * folders, are run once.
 */
export async function runVectors(
  folders: readonly string[],
  engine?: Engine,
): Promise<{ rows: Row[]; failures: string[] }> {
  const rows: Row[] = [];
  const failures: string[] = [];
  const known = new Map<string, Outcome>();
  for (const folder of folders) {
    for (const file of loadFolder(folder, engine)) {
      const kind = String(file.json.kind);
      let row = rows.find((candidate) => candidate.folder === folder && candidate.kind === kind);
      if (!row) {
        row = { folder, kind, files: 0, cases: 0, passed: 0, skipped: 0 };
        rows.push(row);
      }
      const content = contentOf(file);
      const outcome = known.get(content) ?? (await runFile(file));
      known.set(content, outcome);
      row.files++;
      row.cases += outcome.cases;
      row.passed += outcome.cases - outcome.failures.length;
      failures.push(...outcome.failures.map((each) => `${folder}/${file.name}: ${each}`));
    }
  }
  return { rows, failures };
}
