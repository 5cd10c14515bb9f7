/**
 * `npm run bench -- layers`: what each layer that exists for speed brings. Each layer is taken out of a copy of `dist` by a
 * small edit, and does its load in turns with the whole; processor time, medians. `--rounds 3` is rougher, `--load past`
 * runs one load. LAYERS.md says what came out.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { spreadOf } from './measure.js';

/** Where a layer stands in `dist`, and what stands there without it. */
type Edit = readonly [file: string, pattern: RegExp, without: string];

/** Load of `layersChild.mjs` -> the layers that it shows -> their edits. */
const loads: Record<string, Record<string, readonly Edit[]>> = {
  proofs: {
    'answers kept as text': [
      ['tree/prove/proofTextCache.js', /const maxLength = [^;]+;/, 'const maxLength = 0;'],
    ],
    'upper nodes as text': [
      ['tree/prove/upperNodeCache.js', /if \(position\.height < this\.#lowest\) return/, 'return'],
      ['tree/prove/upperNodeCache.js', /this\.#upperPaths\.set\([^;]*;/, ''],
    ],
    'values by version': [
      ['tree/history/storeCache.js', /if \(version === [^\n{]*\{/, 'if (true) {'],
    ],
    arenas: [['base.js', /if \(length > longestCut\) return/, 'return']],
  },
  past: {
    'diff runs': [['tree/history/diffRuns.js', /if \(isFull \|\| [^)]*\) break/, 'break']],
  },
  blocks: {
    "LMDB's log and overlay": [['lmdb/writer.js', /planLog\(batch, overlay\) \?\? /, '']],
  },
  index: {
    "the index's segments": [['indexer/segments/sizes.js', /loose: \d+/, 'loose: Infinity']],
  },
};

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, load: { type: 'string' } },
});
mkdirSync('node_modules/.cache', { recursive: true });
// Below the installed packages, which the copies import.
const scratch = mkdtempSync('node_modules/.cache/l2proof-layers-');

/** A copy of `dist` without a layer, as a package of its own: its files find one another by `imports` of package.json. */
function copyWithout(layer: string, edits: readonly Edit[]): string {
  const folder = join(scratch, layer.replaceAll(/\W+/g, '-'));
  const copy = join(folder, 'dist');
  cpSync('dist', copy, { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
  for (const [file, pattern, without] of edits) {
    const path = join(copy, file);
    const text = readFileSync(path, 'utf8');
    if (!pattern.test(text)) throw new Error(`dist/${file} has no ${pattern}: edit this bench`);
    writeFileSync(path, text.replace(pattern, without));
  }
  return copy;
}

/** One run of a load by a build. */
function run(dist: string, load: string): Record<string, number> {
  const store = join(scratch, 'store');
  const report = execFileSync(process.execPath, ['bench/layersChild.mjs', dist, store, load]);
  rmSync(store, { recursive: true });
  return JSON.parse(report.toString()) as Record<string, number>;
}

try {
  for (const [load, layers] of Object.entries(loads)) {
    if (values.load !== undefined && values.load !== load) continue;
    const builds = new Map([['all layers', 'dist']]);
    for (const [layer, edits] of Object.entries(layers)) {
      builds.set(`without ${layer}`, copyWithout(layer, edits));
    }
    const runs = new Map([...builds.keys()].map((name) => [name, [] as Record<string, number>[]]));
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [name, dist] of builds) runs.get(name)?.push(run(dist, load));
    }
    for (const [name, reports] of runs) {
      const members = Object.keys(reports[0] ?? {}).map((member) => {
        const { median } = spreadOf(reports.map((report) => report[member] as number));
        return `${member} ${median.toFixed(1)}`;
      });
      console.log(`${load}, ${name}: ${members.join(', ')}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
