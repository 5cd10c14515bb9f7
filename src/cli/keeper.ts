/**
 * Ends what a devnet has started, and removes its folder, once the devnet is gone, whatever ended that: a signal, an error
 * or SIGKILL. Anvil would not notice. Standard input is a pipe from the devnet that ends with it.
 *
 * Usage: keeper.js FOLDER; a line `+PID` says that a group of processes began, `-PID` that it ended.
 */
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ms that the processes have to end by themselves. */
const grace = 5000;
/** Ms between two looks. */
const pause = 20;

const groups = new Set<number>();

/** @returns whether there is such a group */
function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}

const [, , folder] = process.argv;
for await (const line of createInterface({ input: process.stdin })) {
  const group = Number(line.slice(1));
  if (line.startsWith('+')) groups.add(group);
  // Its number may be another process' by and by.
  else groups.delete(group);
}
for (const group of groups) signal(group, 'SIGTERM');
for (let waited = 0; waited < grace && [...groups].some((one) => signal(one, 0)); waited += pause) {
  await sleep(pause);
}
for (const group of groups) signal(group, 'SIGKILL');
if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 10 });
