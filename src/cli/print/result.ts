/** The result of a command, printed for people or for programs. */
import { visible, visibleLines } from '../../visible.js';
import { colored } from './color.js';
import { clearLine } from './statusLine.js';

/** The result of a command. */
export interface Result {
  /** For people. */
  readonly text: string;
  /** For programs, in place of the text: it is printed as JSON. */
  readonly value: object;
  /** It is the last of many lines for programs. */
  readonly isLast?: true;
}

/** A number and the name of what it counts: `1 block`, `2 blocks`. */
export const countText = (number: number | bigint, name: string): string =>
  `${number} ${name}${Number(number) === 1 ? '' : 's'}`;

/** Prints a result of which a command has one. A server or a file may have had a say in it. */
export function printResult({ text, value, isLast }: Result, isJson: boolean): void {
  if (isJson && isLast) printEvent(value);
  else if (isJson) console.log(visibleLines(JSON.stringify(value, null, 2)));
  else console.log(colored(visibleLines(text), process.stdout));
}

/** How far a store is fed. */
interface Progress {
  readonly block: number;
  readonly head: number;
  readonly final?: number | null | undefined;
}

/** For programs: prints a line, with its time, whenever a store that is fed has come further, or its node has. */
export function blockLines(isJson: boolean): (progress: Progress) => void {
  if (!isJson) return () => {};
  let last = '';
  return ({ block, head, final = null }) => {
    const now = `${block} ${head} ${final}`;
    if (now !== last) printEvent({ block, head, final });
    last = now;
  };
}

/** Prints an object with its time, for programs that read what happens line by line. */
export const printEvent = (value: object): void =>
  printLine({ time: new Date().toISOString(), ...value });

/** Prints one of many results for programs: each has a line. */
export function printLine(value: object): void {
  // They may come between two steps of a progress on the same terminal.
  clearLine();
  console.log(visible(JSON.stringify(value)));
}
