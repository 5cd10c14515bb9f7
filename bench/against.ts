/**
 * `npm run bench -- against FOLDER [--rounds N]`: this build beside that of another commit, which FOLDER holds, as a table for a pull
 * request. Both run in one process, turn by turn: the machine has no say in their ratio.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { oneProof, threeSlots } from './cases.js';
import { interleave, ratioOf, type Sampler, spreadOf, timed } from './measure.js';
import { digits, time } from './report.js';

type Library = typeof import('../src/index.js');
type Compact = typeof import('../src/compact/index.js');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '15' } },
});
const [folder = ''] = positionals;
if (!existsSync(join(folder, 'dist/index.js'))) {
  console.error('npm run bench -- against FOLDER: a folder with a build of another commit');
  process.exit(3);
}

/** What one build does, by name. */
async function samplersOf(root: string): Promise<Record<string, () => unknown>> {
  const load = (entry: string) => import(pathToFileURL(resolve(root, 'dist', entry)).href);
  const { verifyProof, parseProof }: Library = await load('index.js');
  const { compactProof, verifyCompactProof }: Compact = await load('compact/index.js');
  const { mimc, poseidon2 } = oneProof;
  const bytes = compactProof(threeSlots.result, threeSlots.claim);
  return {
    'Poseidon2, one proof': () => verifyProof(poseidon2.result, poseidon2.claim),
    'MiMC, one proof': () => verifyProof(mimc.result, mimc.claim),
    'an account with three slots': () => verifyProof(threeSlots.result, threeSlots.claim),
    'the same, a compact proof': () => verifyCompactProof(bytes, threeSlots.claim),
    'reading without hashing': () => parseProof(poseidon2.result),
  };
}

const [base, head] = await Promise.all([samplersOf(folder), samplersOf('.')]);
const rows = Object.entries(head).map(([what, work]) => {
  const other = base[what] as () => unknown;
  const competitors: Record<'base' | 'head', Sampler> = { base: timed(other), head: timed(work) };
  const samples = interleave(competitors, Number(values.rounds));
  const { median, low, high } = ratioOf(samples.head, samples.base);
  const [before, now] = [samples.base, samples.head].map((each) => time(spreadOf(each).median));
  return `| ${what} | ${before} | ${now} | ${digits(median)} (${digits(low)} to ${digits(high)}) |`;
});
console.log(`| processor time | base | head | head against base |
| --- | --- | --- | --- |
${rows.join('\n')}`);
