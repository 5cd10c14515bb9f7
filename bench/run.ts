/**
 * `npm run bench -- NAME`, with the flags of that bench behind the name. Without a name it is `verify`; `--help` lists
 * the names. What a bench needs is built first.
 */
import { buildCommand, runCommands } from '../build/commands.js';
import { benches } from './benches.js';

const args = process.argv.slice(2);
const name =
  args[0] === undefined || args[0].startsWith('--') ? 'verify' : (args.shift() as string);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench === undefined || args.includes('--help')) {
  const width = Math.max(...Object.keys(benches).map(({ length }) => length));
  const lines = Object.entries(benches).map(
    ([key, { about }]) => `  ${key.padEnd(width)}  ${about}`,
  );
  console.error(`npm run bench -- NAME [flags of it]\n\n${lines.join('\n')}`);
  process.exitCode = bench === undefined ? 1 : 0;
} else {
  await runCommands(
    [...(bench.needsNoBuild ? [] : [buildCommand]), ['tsx', `bench/${name}.ts`, ...args]],
    bench.env,
  );
}
