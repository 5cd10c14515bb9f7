/** An answer that a reader pastes or drops: JSON or a compact proof, and what of the question it names. */

/** Longest text that is read; a page of 16,384 slots has some 200 MB, which no reader looks through. */
const mostText = 4 * 2 ** 20;
const tooLong = 'the answer is longer than 4 MB';

export interface ReadAnswer {
  /** The result, without what JSON-RPC puts around it; or the digits of a compact proof. */
  readonly answer: unknown;
  /** The question, as far as the answer names it. */
  readonly address: string | undefined;
  readonly slots: readonly string[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The text of a file. @throws Error if it is too long, before it is read */
export function readFile(file: File): Promise<string> {
  if (file.size > mostText) throw new Error(tooLong);
  return file.text();
}

/** @throws Error that says what was expected */
export function readAnswer(given: string): ReadAnswer {
  const text = given.trim();
  if (text.length > mostText) throw new Error(tooLong);
  if (/^(0x)?[0-9a-f]+$/i.test(text)) {
    return { answer: text.startsWith('0x') ? text : `0x${text}`, address: undefined, slots: [] };
  }
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    throw new Error('expected the JSON of an answer, or the hex digits of a compact proof');
  }
  const answer = own(whole, 'result') ?? whole;
  const address = own(own(answer, 'accountProof'), 'key');
  const entries = own(answer, 'storageProofs');
  const slots = Array.isArray(entries) ? entries.map((entry) => own(entry, 'key')) : [];
  return {
    answer,
    address: typeof address === 'string' ? address : undefined,
    slots: slots.filter((key) => typeof key === 'string'),
  };
}
