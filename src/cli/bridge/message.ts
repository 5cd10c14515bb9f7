/** `l2proof message`: what has become of a message from L2 to L1, and the call that claims it. */

import type {
  MessageProgress,
  MessageProof,
  MessageStatus,
  MessageSubject,
  Messages,
} from '../../messages/index.js';
import { exitCodes } from '../exit/exit.js';
import { asUsage, readArgs } from '../flags/args.js';
import { messageFlags, readMessageHash } from '../flags/bridgeFlags.js';
import { anchorsOf } from '../flags/endpoints.js';
import { openSources, readSources } from '../flags/trust.js';
import { columns, trustedBy } from '../print/print.js';
import { startProgress } from '../print/progress.js';
import { countText, printResult, type Result } from '../print/result.js';

type Answer = MessageStatus | MessageProof;

/** Names of the library's options -> options of the command. */
const names = {
  l1: '--l1',
  'trusted.blockHash': '--l1-block-hash',
  maxBlocks: '--max-blocks',
  fromBlock: '--from',
  toBlock: '--to',
  feeRecipient: '--fee-recipient',
};

const phases = {
  search: 'looking for the message',
  list: 'reading the messages finalized with it',
  proof: 'proving them',
} as const;

/** @throws CliError, errors of the messages */
function readRequest(args: readonly string[]) {
  const { values, given, file } = readArgs(args, messageFlags, 'HASH');
  const { from, to, calldata, json, 'fee-recipient': feeRecipient } = values;
  const question = {
    ...(from !== undefined && { fromBlock: from }),
    ...(to !== undefined && { toBlock: to }),
  };
  return {
    sources: readSources(values, given),
    hash: readMessageHash(file),
    ...{ question, isBare: calldata === true, isJson: json === true, feeRecipient },
  };
}

type Request = ReturnType<typeof readRequest>;

/** Asks about the transaction of that hash, and if there is none, about the message. */
async function askEither<T>(
  { hash }: Request,
  ask: (subject: MessageSubject) => Promise<T>,
): Promise<T> {
  try {
    return await ask({ transaction: hash });
  } catch (error) {
    // The package that it comes with may be missing.
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'NOT_FOUND') throw error;
    return ask(hash);
  }
}

async function lookUp(request: Request, messages: Messages): Promise<Answer> {
  const { question, feeRecipient, isBare, isJson } = request;
  const progress = startProgress();
  const onProgress = ({ part, checked, total }: MessageProgress) =>
    progress.update({
      ...{ phase: phases[part], share: checked / total, done: checked },
      figures: `${checked} of ${countText(total, 'L2 block')}`,
    });
  const options = { ...question, onProgress };
  const proving = { ...options, ...(feeRecipient !== undefined && { feeRecipient }) };
  try {
    return await askEither(request, async (subject) => {
      if (isBare) return messages.prove(subject, proving);
      const status = await messages.status(subject, options);
      const hasProof = status.status === 'claimable' || status.status === 'claimed';
      return isJson && hasProof ? messages.prove(subject, proving) : status;
    });
  } catch (cause) {
    throw asUsage(names, cause);
  } finally {
    progress.stop();
  }
}

const outcomes = {
  claimable: 'claimable: --calldata prints the call to the rollup contract',
  claimed: 'claimed; it cannot be claimed again',
  pending: 'its L2 block is not finalized on L1 yet; that happens about every two hours',
  unknown: 'the named blocks have no such message',
} as const;

/** What rests on the L2 node alone. */
const assumptions = {
  inclusion: 'that L2 has it: as the L2 node says',
  transaction: 'that this transaction sent it: as the L2 node says',
} as const;

function rowsOf(answer: Answer): [string, string][] {
  if (answer.status === 'unknown') {
    const { from, to } = answer.blocks;
    return [['L2 blocks', `${from} to ${to}`]];
  }
  const { message, l2BlockNumber, finalizedBlock, assumed } = answer;
  return [
    ['from', message.from],
    ['to', message.to],
    ['number', String(message.messageNumber)],
    ['value', `${message.value} wei`],
    ['fee', `${message.fee} wei`],
    ['data', `${(message.data.length - 2) / 2} bytes`],
    ['L2 block', `${l2BlockNumber}; the last finalized one is ${finalizedBlock}`],
    ...assumed.map((one): [string, string] => ['assumed', assumptions[one]]),
  ];
}

function textOf(answer: Answer): string {
  const { status, hash, l1, how } = answer;
  const table = columns([
    ['status', outcomes[status]],
    ['message', hash],
    ...rowsOf(answer),
    ['L1 block', `${l1.blockNumber} of chain ${l1.chainId}`],
    ['its state', trustedBy[how]],
  ]);
  return `${status === 'pending' ? 'not verified yet' : 'verified'}\n${table}`;
}

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Runs the command. @returns 4 if the message is not finalized yet @throws CliError, errors of the messages */
export async function runMessage(args: readonly string[]): Promise<Result | number> {
  const request = readRequest(args);
  const { isBare, isJson } = request;
  const sources = await openSources(request.sources, anchorsOf('proving a message'));
  const { createMessages } = await import('../../messages/index.js');
  let messages: Messages;
  try {
    messages = createMessages(sources);
  } catch (cause) {
    throw asUsage(names, cause);
  }
  const answer = await lookUp(request, messages);
  if (isBare && !isJson) {
    const { calldata } = answer as MessageProof;
    return { text: calldata, value: { calldata } };
  }
  const result = { text: textOf(answer), value: JSON.parse(JSON.stringify(answer, digits)) };
  if (answer.status !== 'pending') return result;
  printResult(result, isJson);
  return exitCodes.unknown;
}
