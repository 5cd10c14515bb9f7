/** `npm run bench -- peers`: installs what `peers/time.ts` needs beside it, and runs that. */
import { runCommands } from '../build/commands.js';

await runCommands([
  ['npm', 'ci', '--silent', '--prefix', 'bench/peers'],
  ['tsx', 'bench/peers/time.ts', ...process.argv.slice(2)],
]);
