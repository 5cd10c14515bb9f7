/** The tests that `run.ts` names, as one file: what they share is loaded once for each mutant. */
const names = (process.env.MUTATION_TESTS ?? '').split(' ');
for (const name of names) await import(/* @vite-ignore */ `../${name}.test.ts`);
