/** Colours: of the words that say how it went, and of nothing else. */

export const colorModes = ['auto', 'always', 'never'] as const;
type ColorMode = (typeof colorModes)[number];

let mode: ColorMode = 'auto';

/** Says for the whole process when there are colours; `auto`: on a terminal, unless NO_COLOR is set. */
export function setColor(own: ColorMode): void {
  mode = own;
}

/** Where something is printed. */
type Output = Pick<NodeJS.WriteStream, 'isTTY'>;

function hasColor({ isTTY }: Output): boolean {
  if (mode !== 'auto') return mode === 'always';
  return isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

const inColor = (text: string, code: number): string => `\u001b[${code}m${text}\u001b[39m`;
const green = 32;
const red = 31;

/** A verdict at the beginning of a text, also behind the number of a line. */
const verdict = /^(\d+: )?(verified|not verified|malformed(?: answer)?|no trusted root)\b/;
/** The code of an error, at its end or in front of advice. */
const errorCode = /\([A-Z][A-Z\d_]+\)(?=;|$)/;

/** Colours the verdict of a text that is printed, and the code of its error. @param text without controls */
export function colored(text: string, output: Output): string {
  if (!hasColor(output)) return text;
  const [first = '', ...rest] = text.split('\n');
  const line = first
    .replace(errorCode, (code) => inColor(code, red))
    .replace(verdict, (_, number = '', word: string) => {
      return number + inColor(word, word === 'verified' ? green : red);
    });
  return [line, ...rest].join('\n');
}
