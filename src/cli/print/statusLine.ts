/** The last line of a terminal, redrawn in place, on stderr. A process has one stderr, so what stands there is known here. */

/** Columns of a terminal that does not say how many it has. */
const usualWidth = 80;

/** To the first column; to clear what is right of the cursor. */
const home = '\r';
const clearRest = '\u001b[K';

let isShown = false;

/** Whether stderr is a terminal on which a line can be redrawn. */
export const canRedraw = (): boolean =>
  process.stderr.isTTY === true && process.env.TERM !== 'dumb';

/** Puts a line in the place of the last one, cut to the width of the terminal. @param text visible ASCII */
export function showLine(text: string): void {
  // A pseudo-terminal may say that it has 0 columns.
  const { columns } = process.stderr;
  // The last column stays free: some terminals begin a new line once it is filled.
  const shown = text.slice(0, (columns || usualWidth) - 1);
  process.stderr.write(`${home}${shown}${clearRest}`);
  isShown = true;
}

/** Takes the line away, if there is one. */
export function clearLine(): void {
  if (isShown) process.stderr.write(`${home}${clearRest}`);
  isShown = false;
}

/** Prints a line on stderr that stays. */
export function printError(text: string): void {
  clearLine();
  console.error(text);
}
