/** A question of the caller, checked before any request is sent. */
import { encodeHex, type Hex } from '../bytes.js';
import { wrongRange } from '../errors.js';
import { checkHex, ownMembers } from '../foreign/argument.js';
import { hasMember } from '../foreign/members.js';
import { parseWholeNumber } from '../foreign/values.js';
import { checkMessage, type Message, messageHash } from './message.js';
import type { MessageQuestion, MessageSubject } from './types.js';

export const questionNames = ['fromBlock', 'toBlock', 'onProgress', 'signal'] as const;

/** The same, checked. */
export interface MessageQuery {
  readonly subject: { readonly hash: Hex } | { readonly transaction: Hex };
  readonly fromBlock: number | undefined;
  readonly toBlock: number | undefined;
  readonly onProgress: MessageQuestion['onProgress'];
  readonly signal: AbortSignal | undefined;
}

/** @throws RangeError */
function checkBlock(value: number | undefined, name: string): number | undefined {
  const number = parseWholeNumber(value);
  if (value === undefined || number !== undefined) return number;
  throw wrongRange(name, 'expected a whole number from 0');
}

/** @throws TypeError or RangeError */
function checkSubject(subject: MessageSubject): MessageQuery['subject'] {
  if (typeof subject === 'string') return { hash: encodeHex(checkHex(subject, 32, 'message')) };
  if (!hasMember(subject, 'transaction')) {
    return { hash: messageHash(checkMessage(subject as Message)) };
  }
  const { transaction } = ownMembers(subject, ['transaction'], 'message');
  return { transaction: encodeHex(checkHex(transaction, 32, 'message.transaction')) };
}

/** @throws TypeError or RangeError that names the fault */
export function checkQuestion(subject: MessageSubject, given: MessageQuestion): MessageQuery {
  const { fromBlock, toBlock, onProgress, signal } = given;
  const first = checkBlock(fromBlock, 'fromBlock');
  const last = checkBlock(toBlock, 'toBlock');
  if (first !== undefined && last !== undefined && first > last) {
    throw wrongRange('fromBlock', 'is after "toBlock"');
  }
  return { subject: checkSubject(subject), fromBlock: first, toBlock: last, onProgress, signal };
}
