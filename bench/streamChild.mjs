// Verifies a stream of answers and reports what memory it holds after the warm-up and at the end.
// usage: node --expose-gc streamChild.mjs COUNT < JSON array of { result, claim }
import { readFileSync } from 'node:fs';
import { verifyProof } from 'l2proof';

const count = Number(process.argv[2]);
const texts = JSON.parse(readFileSync(0, 'utf8')).map((answer) => JSON.stringify(answer));

/** Answers as they come off the wire, each a fresh object. */
function* stream(length) {
  for (let i = 0; i < length; i++) yield JSON.parse(texts[i % texts.length]);
}

function run(length) {
  for (const { result, claim } of stream(length)) verifyProof(result, claim);
}

function held() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss, arrayBuffers, external } = process.memoryUsage();
  return { heapUsed, rss, arrayBuffers, external };
}

run(Math.ceil(count / 50));
const before = held();
const start = performance.now();
run(count);
const seconds = (performance.now() - start) / 1000;
console.log(JSON.stringify({ count, seconds, before, after: held() }));
