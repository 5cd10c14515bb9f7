// One cold start: from the start of the import to the first verified state, in a process that has done nothing else.
// Plain JavaScript, because a loader for TypeScript would be part of what is timed.
import { readFileSync } from 'node:fs';

const { result, claim } = JSON.parse(readFileSync(0, 'utf8'));
const start = performance.now();
const { verifyProof } = await import('l2proof');
const loaded = performance.now();
verifyProof(result, claim);
const verified = performance.now();
console.log(JSON.stringify({ load: loaded - start, first: verified - loaded }));
