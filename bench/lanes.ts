/**
 * This build beside the one before hashing in lanes: `npm run bench:lanes -- [--frozen FOLDER] [--node PROGRAM]
 * [--processes N]`. Without
 * a folder, an unpacked package that was built, it is made of the commit named below.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Case, oneProof } from './cases.js';
import { fullPath } from './fullPath.js';
import { spreadOf } from './measure.js';
import { nativeMissing, nativeSampler } from './native.js';
import { slotWorld } from './slotTree.js';
import { barPlot } from './svg.js';

/** The last commit that hashes one by one. */
const frozenCommit = '41249ef9';
const ours = resolve('.');
const slots = 1000;

const { values } = parseArgs({
  options: {
    frozen: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    processes: { type: 'string', default: '7' },
  },
});
const processes = Number(values.processes);
const scratch = mkdtempSync(join(tmpdir(), 'l2proof-lanes-'));

function buildFrozen(): string {
  const folder = join(scratch, 'frozen');
  execFileSync('sh', [
    '-c',
    `mkdir "${folder}" && git archive ${frozenCommit} | tar x -C "${folder}"`,
  ]);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: folder, stdio: 'ignore' });
  return folder;
}

/** 1,000 slots spread over a contract with 65,536, and the first 1,000 of it. */
function slotCases(): { spread: Case; first: Case } {
  const world = slotWorld('poseidon2', 65_536);
  const all = world(65_536);
  const picked = Array.from({ length: slots }, (_, i) => (i * 65_521) % 65_536);
  const pick = <T>(list: readonly T[]): T[] => picked.map((i) => list[i] as T);
  const storageKeys = pick(all.claim.storageKeys ?? []);
  return {
    spread: {
      ...all,
      result: { ...all.result, storageProofs: pick(all.result.storageProofs) },
      claim: { ...all.claim, storageKeys },
    },
    first: world(slots),
  };
}

const cold = `
  const { readFileSync } = await import('node:fs');
  const { result, claim } = JSON.parse(readFileSync(0, 'utf8'));
  const start = process.cpuUsage();
  const { verifyProof } = await import(process.argv[1]);
  verifyProof(result, claim);
  const { user, system } = process.cpuUsage(start);
  console.log(user + system);`;

/** Processor time from the import to the first verified proof. */
function coldStart(folder: string, example: Case): number {
  const module = pathToFileURL(join(folder, 'dist/index.js')).href;
  const args = ['--input-type=module', '-e', cold, module];
  const input = JSON.stringify(example);
  return Number(execFileSync(values.node, args, { input, encoding: 'utf8' }));
}

try {
  const frozen = values.frozen === undefined ? buildFrozen() : resolve(values.frozen);
  const file = join(scratch, 'cases.json');
  const full = fullPath(oneProof.poseidon2);
  writeFileSync(file, JSON.stringify({ real: oneProof.poseidon2, full, ...slotCases() }));
  const native = nativeMissing() ? undefined : nativeSampler(oneProof.poseidon2);
  const ratios = new Map<string, number[]>();
  const note = (name: string, value: number) =>
    ratios.set(name, [...(ratios.get(name) ?? []), value]);
  for (let i = 0; i < processes; i++) {
    console.error(`bench: process ${i + 1} of ${processes}`);
    const child = ['bench/lanesChild.mjs', frozen, ours, file];
    const yardstick = native && [native()];
    const report = JSON.parse(execFileSync(values.node, child, { encoding: 'utf8' })) as Record<
      string,
      [number, number]
    >;
    if (native) yardstick?.push(native());
    for (const [name, [before, now]] of Object.entries(report)) {
      note(`${name}: frozen / now`, before / now);
      note(`${name}: now / frozen`, now / before);
      const each = name === 'spread' || name === 'first' ? slots : 1;
      if (yardstick && !['lanes', 'hashEach'].includes(name)) {
        note(`${name}: now / native`, now / each / spreadOf(yardstick).median);
        note(`${name}: frozen / native`, before / each / spreadOf(yardstick).median);
      }
    }
    for (const family of ['poseidon2', 'mimc'] as const) {
      const before = coldStart(frozen, oneProof[family]);
      note(`cold start, ${family}: now / frozen`, coldStart(ours, oneProof[family]) / before);
    }
  }
  const table = [...ratios].map(([name, list]) => {
    const { median, low, high } = spreadOf(list);
    return `| ${name} | ${median.toFixed(2)} | ${low.toFixed(2)} to ${high.toFixed(2)} |`;
  });
  console.log(['| what | median | quartiles |', '| --- | --- | --- |', ...table].join('\n'));
  const bars = [...ratios]
    .filter(([name]) => name.endsWith('now / frozen'))
    .map(([name, list]) => ({
      label: name.replace(': now / frozen', ''),
      value: spreadOf(list).median,
      colour: '#1a7f37',
    }));
  const plot = barPlot('Processor time beside the build before', (ratio) => ratio.toFixed(2), bars);
  writeFileSync(new URL('lanes.svg', import.meta.url), plot);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
