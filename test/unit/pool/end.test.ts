/** Pools that end while their workers load: Node 20 and 22 abort if a thread ends while it requires an ES module. */
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.js';
import { patience } from '../../support/runs.js';

/**
 * The modules that a worker loads besides its own. The abort needs the end to come while they are linked, so that names
 * which pass through a hundred of them make this longer.
 */
const moduleCount = 100;
const names = Array.from({ length: 1000 }, (_, i) => `name${i}`);
/** Processes of each kind; each ends several pools. */
const runs = Number(process.env.POOL_RUNS ?? 2);

const folder = newFolder();

beforeAll(() => {
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const many = join(folder, 'dist/pool/many');
  mkdirSync(many);
  for (let i = 0; i < moduleCount; i++) {
    writeFileSync(join(many, `${i}.js`), `export * from './${i + 1}.js';\n`);
  }
  const constants = names.map((name) => `export const ${name} = 0;\n`);
  writeFileSync(join(many, `${moduleCount}.js`), constants.join(''));
  // On a line of its own: the file ends with the name of its source map, which is a comment.
  const imports = `\nimport { ${names} } from './many/0.js';\nvoid [${names}];\n`;
  appendFileSync(join(folder, 'dist/pool/work.js'), imports);
});

const vector = resolve('vectors/getproof-poseidon2-synthetic-absent.json');

/** Runs the child. @throws with its exit code or signal, and what it said */
async function run(end: string): Promise<string> {
  const args = [resolve('test/support/poolChild.mjs'), folder, vector, end];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

test(
  'closing one',
  async () => {
    for (let i = 0; i < runs; i++) expect(await run('close')).toBe('5\n');
  },
  patience,
);

test(
  'ending the process',
  async () => {
    for (let i = 0; i < runs; i++) expect(await run('exit')).toBe('3\n');
  },
  patience,
);
