/** A line of `l2proof verify --ndjson`: a claim and an answer. */
import { type WrongArgument, wrongRange, wrongType } from '../../errors.js';
import type { ProofClaim, ProofItem } from '../../index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { bytesOfBase64, parseAnswerText, resultOf } from '../input/answer.js';
import { maxLineLength } from '../input/lines.js';

/** The content of a line. */
export interface LineItem {
  readonly item: ProofItem;
  /** Names that the line has for the state root and the storage keys, for messages. */
  readonly root: string;
  readonly slots: string;
}

/** The member that holds a part of the claim: its name, or the older one that lines may have instead. */
function memberOf(line: object, name: string, older: string): string {
  if (!Object.hasOwn(line, older)) return name;
  if (!Object.hasOwn(line, name)) return older;
  const text = `"${name}" and "${older}" are one member; give one of them`;
  throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
}

/** @throws CliError malformed */
function parseLine(text: string | null): LineItem {
  if (text === null) {
    throw new CliError(exitCodes.malformed, `the line is longer than ${maxLineLength} bytes`, {
      code: 'MALFORMED',
    });
  }
  const line = parseAnswerText(text, 'the line');
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    const expected = 'expected { stateRoot, address, storageKeys?, hash?, result }';
    throw new CliError(exitCodes.malformed, expected, { code: 'MALFORMED' });
  }
  const root = memberOf(line, 'stateRoot', 'root');
  const slots = memberOf(line, 'storageKeys', 'slots');
  const {
    [root]: stateRoot,
    [slots]: storageKeys,
    address,
    hash,
    result,
  } = line as Record<string, unknown>;
  // Their types and form are the verifier's to check.
  const claim = {
    stateRoot,
    address,
    ...(storageKeys === undefined ? {} : { storageKeys }),
    ...(hash === undefined ? {} : { hash }),
  } as ProofClaim;
  const answer = typeof result === 'string' ? bytesOfBase64(result) : resultOf(result);
  return { item: { result: answer, claim }, root, slots };
}

/** Reads a line: its content, or why it holds no claim and answer. */
export function readLine(text: string | null): LineItem | CliError {
  try {
    return parseLine(text);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** An error of the verifier. If it is about the claim, the message names the line's members, not the verifier's. */
export function inWordsOfLine(error: unknown, { root, slots }: LineItem): unknown {
  const { argument, reason = '' } = error as Partial<WrongArgument>;
  if (argument === undefined) return error;
  const own = argument === 'stateRoot' ? root : argument.replace(/^storageKeys(?=$|\[)/, slots);
  return error instanceof TypeError ? wrongType(own, reason) : wrongRange(own, reason);
}
