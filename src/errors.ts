/**
 * The errors of the verifier, and the base of all errors with a code. The classes say whose fault it is: a
 * `ShapeError` means that the answer is no proof at all, a `VerificationError` that it is a well-formed proof of
 * something else. A wrong claim is the caller's own mistake and stays a `TypeError` or `RangeError`.
 */

/** A number for a message; text of -0 is 0. */
export const shownNumber = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/**
 * Describes a given value for a message: its type, and the value itself only if it is a number.
 *
 * @throws TypeError for a revoked Proxy
 */
export function shown(value: unknown): string {
  if (typeof value === 'number') return `number ${shownNumber(value)}`;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Describes a value given in place of one of a few words: like {@link shown}, and the beginning of a text. */
export function shownWord(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 20)) : shown(value);
}

/** The words that messages name for their readers to set, call or run, by what it is for. */
interface Words extends Partial<Record<Wish, string>> {
  readonly hash?: (family: string) => string;
}

type Wish =
  | ('mints' | 'genesisRoot' | 'reads' | 'feedStore' | 'feedIndex' | 'exportSnapshot')
  | ('convert' | 'convertFirst' | 'goOnConverting' | 'maxBlocks' | 'maxRange' | 'current')
  | ('fetchDocuments' | 'l2');

/** No prototype lends a word. */
const words: Words = Object.create(null);

/** Says for the whole process what messages name in place of the library's options and functions. */
export const setWords = (own: Words): void => void Object.assign(words, own);

/** What a message names. @param own the library's option or function */
export const wordFor = (wish: Wish, own: string): string => words[wish] ?? own;

/** How a message names the option that says of which family a root or proof is. */
export const hashOption = (family: string): string => words.hash?.(family) ?? `hash: '${family}'`;

/**
 * What a code leaves open, if a program may act on it:
 *
 * - `NO_STORE` of `WRONG_STORE`: there is nothing at that place
 * - `WRONG_GENESIS` of `ROOT_MISMATCH` and `STATE_MISMATCH`: the genesis itself is not the chain's
 */
type ErrorDetail = 'NO_STORE' | 'WRONG_GENESIS';

/** The members of an error with a code beside its sentence. */
export interface ErrorParts extends ErrorOptions {
  /** The exact reason. */
  readonly detail?: ErrorDetail | undefined;
  /** Member of what was given that is wrong. */
  readonly path?: string | undefined;
  /** The text before the sentence in the message. */
  readonly before?: string;
}

/** A TypeError or RangeError about an argument: its message is `"argument" reason`. */
export interface WrongArgument {
  /** Name of the argument, for example `storageKeys[3]`. */
  readonly argument: string;
  /** What is wrong with it. */
  readonly reason: string;
}

/** A descriptor to which no prototype lends a getter. */
const hidden = (value: string): PropertyDescriptor => Object.assign(Object.create(null), { value });

/** In engines other than V8 it may be missing. */
type Capture = (error: Error, maker: unknown) => void;

/**
 * Adds members that are not enumerable: the message says both.
 *
 * @param maker left out of the stack, whose first line is that of the check
 */
function about<E extends Error>(
  error: E,
  { argument, reason }: WrongArgument,
  maker: unknown,
): E & WrongArgument {
  (Error as { captureStackTrace?: Capture }).captureStackTrace?.(error, maker);
  return Object.defineProperties(error as E & WrongArgument, {
    argument: hidden(argument),
    reason: hidden(reason),
  });
}

/** The error of an argument of a wrong type. */
export function wrongType(argument: string, reason: string, options?: ErrorOptions) {
  const error = new TypeError(`"${argument}" ${reason}`, options);
  return about(error, { argument, reason }, wrongType);
}

/** The error of an argument whose value is out of range. */
export function wrongRange(argument: string, reason: string) {
  return about(new RangeError(`"${argument}" ${reason}`), { argument, reason }, wrongRange);
}

/** Base of the errors that have a code, which ends their message: `reason (CODE)`. */
export abstract class CodedError<Code extends string | number | undefined = string> extends Error {
  /** The cause, from a closed list; undefined in a class of one meaning. */
  readonly code: Code;
  /** The sentence without its code, and without a path or method before it. */
  readonly reason: string;
  /** Member of what was given that is wrong, for example `accountProof[3]`; not there if the class names none. */
  declare readonly path?: string | undefined;
  /** What exactly, if the code leaves it open; not there if it does not. */
  declare readonly detail?: ErrorDetail | undefined;

  constructor(code: Code, reason: string, { path, detail, before = '', cause }: ErrorParts = {}) {
    const text = before + reason;
    super(code === undefined ? text : `${text} (${code})`, cause === undefined ? {} : { cause });
    this.code = code;
    this.reason = reason;
    if (path !== undefined) this.path = path;
    if (detail !== undefined) this.detail = detail;
  }
}

/** A path before a sentence. */
export const quotedPath = (path: string): string => (path === '' ? '' : `"${path}" `);

/** Base of everything that the verifier throws about an answer. */
export abstract class ProofError<
  Code extends VerificationCode | undefined = VerificationCode | undefined,
> extends CodedError<Code> {
  /** Location in the answer, for example `accountProof.proof.proofRelatedNodes[3]`; `` for the whole. */
  declare readonly path: string;

  constructor(code: Code, path: string, reason: string, options?: ErrorOptions) {
    super(code, reason, { ...options, path, before: quotedPath(path) });
  }
}

/**
 * The answer alone shows that it is no proof: a type, width, count, hex digit, range, or a field
 * element that is not canonical. Ask another server; no root would make this answer hold.
 */
export class ShapeError extends ProofError<undefined> {
  override readonly name = 'ShapeError';

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(undefined, path, reason, options);
  }
}

/**
 * One code per law that a well-formed proof can break, with the sections of docs/protocol.md and docs/compact.md that have
 * it. docs/laws.md has the lines that refuse, and the forgeries that are refused there.
 *
 * - `WRONG_FAMILY` the proof is of another hash family than the one the caller named (protocol 3.7)
 * - `WRONG_KIND` an existence proof although non-existence was to be shown, or the other way round (protocol 4.3, 4.4)
 * - `KEY_MISMATCH` the entry is labelled with another address or slot key than the one asked (protocol 4.5, 4.6, 6)
 * - `SLOT_COUNT` not one storage entry per key asked (protocol 4.6, 6)
 * - `SLOT_WITHHELD` a storage entry is null though the account's storage tree has, or had, leaves (protocol 4.6;
 *   compact 7)
 * - `SLOT_OF_ABSENT_ACCOUNT` a storage entry is answered for an account that does not exist (protocol 4.6; compact 7)
 * - `HKEY_MISMATCH` the leaf opening is another key's (protocol 4.3, 7.4)
 * - `HVALUE_MISMATCH` the leaf opening holds another value (protocol 4.3, 7.4)
 * - `HEAD_OR_TAIL` the leaf is the head or the tail of the list, which is no key (protocol 4.3; compact 5)
 * - `INDEX_OUT_OF_RANGE` the leaf lies at or beyond the next free node (protocol 4.3, 7.2; compact 3)
 * - `ROOT_MISMATCH` the top node does not hash to the root (protocol 4.3; compact 7)
 * - `SUB_TREE_ROOT_MISMATCH` the path does not lead to the sub-tree root in the top node; in a trace, to the one
 *   before the step (protocol 4.3, 7.4, 7.5)
 * - `NOT_NEIGHBOURS` the two leaves do not name each other as next and prev (protocol 4.4, 7.4; compact 5)
 * - `KEY_NOT_BETWEEN` the key does not lie strictly between the two leaves (protocol 4.4, 7.4; compact 5)
 * - `BEYOND_NEXT_FREE_NODE` the tree has leaves at or beyond its next free node, which no compact proof can say
 *   (protocol 1.5; compact 6)
 * - `LEAF_NOT_NEEDED` a compact proof holds a leaf that shows nothing of what was asked (compact 5, 7)
 * - `NOT_ON_PATH` the nodes of a Merkle-Patricia proof do not lead from the root to the key, or one is not on that way
 *   (protocol 6)
 * - `NOT_NEXT_FREE_NODE` an inserted leaf is not put at the next free node (protocol 7.2)
 * - `NEW_ROOT_MISMATCH` a change does not lead to the sub-tree root given for the tree after it (protocol 7.4, 7.5)
 * - `CHAIN_BROKEN` a trace does not begin at the tree that the last trace of the same tree left (protocol 7.6)
 * - `PARENT_ROOT_MISMATCH` the first trace of an account does not begin at the parent root (protocol 7.6)
 * - `END_ROOT_MISMATCH` the traces do not end at the end root (protocol 7.8)
 * - `STORAGE_TIE` storage traces do not lead from one storage root of their account to the next (protocol 7.7)
 * - `STORAGE_WITHOUT_ACCOUNT` a block traces a storage tree and not its account (protocol 7.7)
 * - `WRITE_AFTER_ACCOUNT` storage changes after the last trace of its account in the block (protocol 7.7)
 */
export type VerificationCode =
  | 'WRONG_FAMILY'
  | 'WRONG_KIND'
  | 'KEY_MISMATCH'
  | 'SLOT_COUNT'
  | 'SLOT_WITHHELD'
  | 'SLOT_OF_ABSENT_ACCOUNT'
  | 'HKEY_MISMATCH'
  | 'HVALUE_MISMATCH'
  | 'HEAD_OR_TAIL'
  | 'INDEX_OUT_OF_RANGE'
  | 'ROOT_MISMATCH'
  | 'SUB_TREE_ROOT_MISMATCH'
  | 'NOT_NEIGHBOURS'
  | 'KEY_NOT_BETWEEN'
  | 'BEYOND_NEXT_FREE_NODE'
  | 'LEAF_NOT_NEEDED'
  | 'NOT_ON_PATH'
  | 'NOT_NEXT_FREE_NODE'
  | 'NEW_ROOT_MISMATCH'
  | 'CHAIN_BROKEN'
  | 'PARENT_ROOT_MISMATCH'
  | 'END_ROOT_MISMATCH'
  | 'STORAGE_TIE'
  | 'STORAGE_WITHOUT_ACCOUNT'
  | 'WRITE_AFTER_ACCOUNT';

/** The answer is a well-formed proof, but not of what was claimed; `code` names the law it breaks. */
export class VerificationError extends ProofError<VerificationCode> {
  override readonly name = 'VerificationError';
}

/** Characters that two names do not share at their beginning and end, in any case. */
function difference(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end;
}

/** The known name that was probably meant by another; undefined if they have too little in common. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const rank = (known: string) => difference(name, known) / Math.max(name.length, known.length);
  const [nearest] = [...names].sort((a, b) => rank(a) - rank(b));
  return nearest !== undefined && rank(nearest) <= 0.5 ? nearest : undefined;
}
