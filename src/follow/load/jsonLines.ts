/** Reads JSON with one value on each line, or with one value on all lines together. */
import { FollowError } from '../node/errors.js';

/** Most characters of one value on all lines together. */
const longestValue = 256 * 1024 * 1024;

const bad = (line: number, text: string) =>
  new FollowError('BAD_FILE', `line ${line}: ${text}`, { line });

/** @returns undefined if the text is not JSON */
function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * The values, each with the number of the line on which it begins, from 1. If the first line is not JSON by itself, all
 * lines together are read as one value. Empty lines are skipped.
 *
 * @throws FollowError `BAD_FILE` for text that is not JSON, or a value on many lines of more than 2^28 characters
 */
export async function* parseLines(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<{ line: number; value: unknown }> {
  let line = 0;
  let hasValue = false;
  let whole: { line: number; texts: string[] } | undefined;
  let length = 0;
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    if (!whole) {
      const parsed = tryParse(text);
      if (parsed) yield { line, value: parsed.value };
      else if (hasValue) throw bad(line, '"line" expected JSON');
      else whole = { line, texts: [text] };
      hasValue = true;
      continue;
    }
    whole.texts.push(text);
    length += text.length;
    if (length > longestValue) {
      throw bad(whole.line, 'too long for JSON on many lines; give the genesis as a state file');
    }
  }
  if (!whole) return;
  const parsed = tryParse(whole.texts.join('\n'));
  if (!parsed) throw bad(whole.line, '"line" expected JSON, here or on all lines together');
  yield { line: whole.line, value: parsed.value };
}
