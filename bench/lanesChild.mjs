// One process of `bench/lanes.ts`: this build beside a frozen one, by turns, in processor time. Plain JavaScript, because
// a loader for TypeScript would be part of what is timed. Arguments: folder of each build, file of cases.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [frozen, ours, file] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(file, 'utf8'));
const load = (folder, path) => import(pathToFileURL(`${folder}/dist/${path}`).href);
const builds = [frozen, ours];
const libraries = await Promise.all(builds.map((folder) => load(folder, 'index.js')));
const engines = await Promise.all(builds.map((folder) => load(folder, 'hash/engine.js')));
const hashers = engines.map(({ openHasher }) => openHasher('poseidon2'));

function cost(work, calls) {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Microseconds of each, medians of 15 rounds. */
function beside(works) {
  const calls = works.map((work) => {
    const until = performance.now() + 300;
    let count = 0;
    for (; count < 2 || performance.now() < until; count++) work();
    return Math.max(1, Math.round(count / 15));
  });
  const times = works.map(() => []);
  for (let round = 0; round < 15; round++) {
    for (let i = 0; i < works.length; i++) {
      const at = (i + round) % works.length;
      works[at]();
      times[at].push(cost(works[at], calls[at]));
    }
  }
  return times.map(median);
}

const report = {};
// Whole nodes of random elements, canonical.
const nodes = (count) =>
  new Uint8Array(64 * count).map((_, i) => (i % 4 === 0 ? 0 : (i * 2654435761) >>> 13));
const few = nodes(1024);
report.lanes = beside(hashers.map((hasher) => () => hasher.hashEach(few, 64)));
const many = nodes(100_000);
report.hashEach = beside(hashers.map((hasher) => () => hasher.hashEach(many, 64)));
for (const [name, { result, claim }] of Object.entries(cases)) {
  report[name] = beside(
    libraries.map(
      ({ verifyProof }) =>
        () =>
          verifyProof(result, claim),
    ),
  );
}
console.log(JSON.stringify(report));
