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

/** Microseconds of this process so far, of all its threads. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
function cost(work, calls) {
  const start = processorTime();
  for (let i = 0; i < calls; i++) work();
  return (processorTime() - start) / calls;
}
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Microseconds of each, medians of 15 rounds. */
function beside(works) {
  const calls = works.map((work) => {
    // Not by the clock: on a busy machine a process gets so little of it that code is still being compiled afterwards.
    const start = processorTime();
    let count = 0;
    for (; count < 2 || processorTime() - start < 500_000; count++) work();
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
