/** How much is in the text of a body, before it is parsed. */

/**
 * Whether a text has more than so many of `"`, `,`, `[` and `{`: each value of a JSON text has one of them beside it. To parse
 * 64 kB of short strings takes several times as long as a light answer, in one piece that lets nobody in between.
 */
export function hasMoreMarks(text: string, most: number): boolean {
  if (text.length <= most) return false;
  let found = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isMark = code === 0x22 || code === 0x2c || code === 0x5b || code === 0x7b;
    if (isMark && ++found > most) return true;
  }
  return false;
}
