/** `npm run vectors`: runs the vector folders and prints a table. */
import { consensusFolders, runConsensus } from './consensus.js';
import { runVectors, vectorFolders } from './run.js';

const runs = [await runVectors(vectorFolders()), await runConsensus(consensusFolders())];
const rows = runs.flatMap((run) => run.rows);
const failures = runs.flatMap((run) => run.failures);
for (const failure of failures) console.error(`FAILED ${failure}`);
console.table(rows);
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
