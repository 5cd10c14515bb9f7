/**
 * `npm run bench -- layers`: what answers as text cost without one of the layers that exist for speed. Each layer is taken
 * out of a copy of `dist` by a small edit, and asked in turns with the whole; processor time, medians. `--rounds 3` is
 * rougher. LAYERS.md says what came out.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spreadOf } from './measure.js';

/** Layer -> the file that has it, what stands there, and what stands there without it. */
const edits: Record<string, readonly [file: string, pattern: RegExp, without: string][]> = {
  'answers kept as text': [
    ['tree/answerTexts.js', /const maxLength = [^;]+;/, 'const maxLength = 0;'],
  ],
  'upper nodes as text': [
    ['tree/nodeTexts.js', /if \(position\.height < this\.#lowest\) return/, 'return'],
    ['tree/nodeTexts.js', /this\.#stems\.set\([^;]*;/, ''],
  ],
  'facts by version': [['tree/facts.js', /if \(version === [^\n{]*\{/, 'if (true) {']],
  slabs: [['bytes.js', /if \(length > longestCut\) return/, 'return']],
};

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
mkdirSync('node_modules/.cache', { recursive: true });
// Below the installed packages, which the copies import.
const scratch = mkdtempSync('node_modules/.cache/l2proof-layers-');
try {
  const builds = new Map([['all layers', 'dist']]);
  for (const [layer, list] of Object.entries(edits)) {
    const copy = join(scratch, layer.replaceAll(' ', '-'));
    cpSync('dist', copy, { recursive: true });
    for (const [file, pattern, without] of list) {
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      if (!pattern.test(text)) throw new Error(`dist/${file} has no ${pattern}: edit this bench`);
      writeFileSync(path, text.replace(pattern, without));
    }
    builds.set(`without ${layer}`, copy);
  }
  const times = new Map(
    [...builds.keys()].map((name) => [name, { first: [], again: [] } as Times]),
  );
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, dist] of builds) {
      const store = join(scratch, 'store');
      const report = execFileSync(process.execPath, ['bench/layersChild.mjs', dist, store]);
      rmSync(store, { recursive: true });
      const { first, again } = JSON.parse(report.toString()) as { first: number; again: number };
      times.get(name)?.first.push(first);
      times.get(name)?.again.push(again);
    }
  }
  for (const [name, { first, again }] of times) {
    const [one, two] = [first, again].map((list) => spreadOf(list).median.toFixed(1));
    console.log(`${name}: first ${one} µs, asked again ${two} µs`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

interface Times {
  readonly first: number[];
  readonly again: number[];
}
