/** `npm run vectors`: runs the vector folders and prints a table. */
// @ts-nocheck

import { runVectors, vectorFolders } from './run.js';

const { rows, failures } = await runVectors(vectorFolders());
for (const failure of failures) console.error(`FAILED ${failure}`);
console.table(rows);
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
