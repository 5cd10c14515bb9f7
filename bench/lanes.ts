/**
 * This build beside the one before hashing in lanes: `npm run bench -- lanes [--frozen FOLDER] [--node PROGRAM]
 * [--processes N]`. Without
 * a folder, an unpacked package that was built, it is made of the commit named below.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Case, oneProof } from './cases.js';
import { machine, madeBy, pageOf } from './frame.js';
import { fullPath } from './fullPath.js';
import { type Sampler, spreadOf } from './measure.js';
import { nativeMissing, nativeSampler } from './native.js';
import { publish } from './pictures.js';
import { slotWorld } from './slotTree.js';

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
const where = machine();
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

const caseNames = ['lanes', 'hashEach', 'real', 'full', 'spread', 'first'] as const;
/** For readers of the page; the last two are cold starts. */
const titles = {
  lanes: '1,024 inner nodes, by the kernel',
  hashEach: '100,000 inner nodes, by `hashEach`',
  real: 'a warm proof',
  full: 'a warm proof without empty sub-trees',
  spread: '1,000 slots, spread over 65,536',
  first: '1,000 slots, the first of 65,536',
  poseidon2: 'cold start, Poseidon2',
  mimc: 'cold start, MiMC',
};
const columns = [
  ...(['before / in lanes', 'in lanes / before'] as const),
  ...(['in lanes / native', 'before / native'] as const),
];
type Column = (typeof columns)[number];
const rounds = 15;

/** What one call of a case costs in a child, in microseconds. The first sample of a case warms it, too. */
async function sample(child: ChildProcess, name: string): Promise<number> {
  child.send(name);
  const [answer] = (await once(child, 'message')) as [number];
  return answer;
}

/** Figures of one case. */
interface Figures {
  readonly before: number;
  readonly now: number;
  readonly native: number | undefined;
}

/**
 * Both builds by turns, each in a process of its own: in one process, the second would meet types that the first had
 * taught the compiler, and collect the garbage of the first.
 */
async function besideNative(
  builds: readonly string[],
  file: string,
  native: Sampler | undefined,
): Promise<Map<string, Figures>> {
  const children = builds.map((folder) =>
    fork('bench/lanesChild.mjs', [folder, file], { execPath: values.node, execArgv: [] }),
  ) as [ChildProcess, ChildProcess];
  try {
    const figures = new Map<string, Figures>();
    for (const name of caseNames) {
      const times = children.map((): number[] => []) as [number[], number[]];
      const yardstick: number[] = [];
      for (const child of children) await sample(child, name);
      for (let round = 0; round < rounds; round++) {
        if (native && name !== 'lanes' && name !== 'hashEach' && round % 7 === 0) {
          yardstick.push(native());
        }
        for (const turn of [round % 2, (round + 1) % 2] as const) {
          times[turn as 0 | 1].push(await sample(children[turn as 0 | 1], name));
        }
      }
      figures.set(name, {
        before: spreadOf(times[0]).median,
        now: spreadOf(times[1]).median,
        native: yardstick.length > 0 ? spreadOf(yardstick).median : undefined,
      });
    }
    return figures;
  } finally {
    for (const child of children) child.disconnect();
  }
}

try {
  const frozen = values.frozen === undefined ? buildFrozen() : resolve(values.frozen);
  const file = join(scratch, 'cases.json');
  const full = fullPath(oneProof.poseidon2);
  writeFileSync(file, JSON.stringify({ real: oneProof.poseidon2, full, ...slotCases() }));
  const native = nativeMissing() ? undefined : nativeSampler(oneProof.poseidon2);
  const ratios = new Map<string, Map<Column, number[]>>();
  const note = (name: string, column: Column, value: number) => {
    const row = ratios.get(name) ?? new Map<Column, number[]>();
    ratios.set(name, row.set(column, [...(row.get(column) ?? []), value]));
  };
  for (let i = 0; i < processes; i++) {
    console.error(`bench: process ${i + 1} of ${processes}`);
    const figures = await besideNative([frozen, ours], file, native);
    for (const [name, { before, now, native }] of figures) {
      note(name, 'before / in lanes', before / now);
      note(name, 'in lanes / before', now / before);
      const each = name === 'spread' || name === 'first' ? slots : 1;
      if (native) {
        note(name, 'in lanes / native', now / each / native);
        note(name, 'before / native', before / each / native);
      }
    }
    for (const family of ['poseidon2', 'mimc'] as const) {
      const before = coldStart(frozen, oneProof[family]);
      note(family, 'in lanes / before', coldStart(ours, oneProof[family]) / before);
    }
  }
  const cell = (list: readonly number[] | undefined) => {
    if (list === undefined) return '';
    const { median, low, high } = spreadOf(list);
    return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
  };
  const page = pageOf({
    title: 'Hashing in lanes',
    about: `The build that hashes Poseidon2 in lanes, several nodes side by side, beside the last one before it, which hashes one by
      one; each in a process of its own. Medians and, in brackets, quartiles of ${processes} pairs of processor times. _Cold start_:
      from the import to the first verified proof. _Native_ is one path by a C program; slots beside it count as one slot beside
      one path. The bars: kernel 1.7 (Node 24: 1.9), \`hashEach\` 1.65; a proof without empty sub-trees at most 0.88 of the build
      before and 1.25 of native, a warm proof 1.03; slots beside native 0.42 and 0.28; cold start 0.8.`,
    made: madeBy('npm run bench -- lanes', where),
    tables: [
      {
        head: ['processor time', ...columns],
        rows: [...ratios].map(([name, row]) => [
          titles[name as keyof typeof titles],
          ...columns.map((column) => cell(row.get(column))),
        ]),
      },
    ],
    shows: `Proofs of many slots are verified in half the time, one proof in two thirds to four fifths of it.`,
  });
  console.log(publish('LANES.md', page));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
