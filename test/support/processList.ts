/** Which processes the system runs, by what Linux says of them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The command line of a process; empty if it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Numbers of the processes with a text on their command line. */
export const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(text))
    .map(Number);
