// One build in a process of its own, for `bench/lanes.ts`: each message names a case; the answer is what one call of it
// costs, in microseconds of processor time. Plain JavaScript, because a loader for TypeScript would be part of what is
// timed. Arguments: folder of the build, file of cases.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(`${folder}/dist/${path}`).href);
const { verifyProof } = await load('index.js');
const { openHasher } = await load('hash/engine.js');
const hasher = openHasher('poseidon2');

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
/** Calls that make a sample, once the code is compiled. */
function warm(work) {
  // Not by the clock: on a busy machine a process gets so little of it that code is still being compiled afterwards.
  const start = processorTime();
  let count = 0;
  for (; count < 2 || processorTime() - start < 500_000; count++) work();
  return Math.max(1, Math.round(count / 15));
}

// Whole nodes of random elements, canonical.
const nodes = (count) =>
  new Uint8Array(64 * count).map((_, i) => (i % 4 === 0 ? 0 : (i * 2654435761) >>> 13));
const few = nodes(1024);
const many = nodes(100_000);
const works = {
  lanes: () => hasher.hashEach(few, 64),
  hashEach: () => hasher.hashEach(many, 64),
};
for (const [name, { result, claim }] of Object.entries(JSON.parse(readFileSync(file, 'utf8')))) {
  works[name] = () => verifyProof(result, claim);
}

const calls = new Map();
process.on('message', (name) => {
  const work = works[name];
  if (!calls.has(name)) calls.set(name, warm(work));
  // The other build has had the caches.
  work();
  process.send(cost(work, calls.get(name)));
});
