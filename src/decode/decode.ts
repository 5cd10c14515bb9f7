/** One transaction, decoded. */
import { shown } from '../errors.js';
import { ownMembers } from '../foreign/argument.js';
import { createContext, type DecodeContext } from './context/decodeContext.js';
import type { DecodeInput, LogsInput, MissingMetadata } from './context/input.js';
import { matchLog } from './context/match.js';
import { ownTransferLog } from './context/ownTransfer.js';
import { type Decimal, isBelow, readDecimal } from './context/quote.js';
import type { DecodedEvent, DecodeResponse, EventDetail } from './definition/types.js';
import { toAmount } from './format/amounts.js';
import { type Described, describeEvent, describeUnknown } from './format/event.js';
import { type Subject, toExplorerLinks, toMetadata, toRawLog } from './format/metadata.js';
import { type ReceiptLog, readBlock, readReceipt, readTransaction } from './receipt/receipt.js';

const logsMembers = [
  'receipt',
  'chain',
  'tokens',
  'pools',
  'prices',
  'abis',
  'unknown',
  'rawLogs',
] as const;
const members = [...logsMembers, 'transaction', 'block', 'minUsd'] as const;

/** How logs are decoded, from the caller's options. */
interface DecodeOptions {
  readonly unknown: boolean;
  /** Undefined if events carry no logs. */
  readonly subject: Subject | undefined;
  readonly minimum: Decimal;
}

const zero: Decimal = { units: 0n, scale: 0 };

/** @throws RangeError */
function readMinimum(minUsd: unknown): Decimal {
  const minimum = minUsd === undefined ? zero : readDecimal(minUsd);
  if (minimum !== undefined) return minimum;
  throw new RangeError(`"minUsd" expected a number from 0, got ${shown(minUsd)}`);
}

const isTooLittle = ({ worth }: Described, minimum: Decimal): boolean =>
  worth !== undefined && isBelow(worth, minimum);

/** @throws TypeError */
const toContext = (
  { chain, tokens, pools, prices, abis }: LogsInput,
  logs: readonly ReceiptLog[],
): DecodeContext => createContext({ chain, logs, tokens, pools, prices, abis });

/** The event of a log; undefined if it is not to be shown. */
function decodeLog(
  log: ReceiptLog,
  context: DecodeContext,
  settings: DecodeOptions,
): DecodedEvent | undefined {
  const { unknown, subject, minimum } = settings;
  const match = matchLog(log, context);
  const definition = match?.candidate.definition;
  if (definition && 'isSilent' in definition) return undefined;
  let event: DecodedEvent;
  if (match && definition) {
    const described = describeEvent(match, definition, context);
    if (definition.hasMinimum && isTooLittle(described, minimum)) return undefined;
    event = described.event;
  } else if (unknown) {
    event = describeUnknown(log, context);
  } else {
    return undefined;
  }
  const rawLog = subject && toRawLog(log, { match, subject, context });
  return rawLog ? { ...event, raw_log: rawLog } : event;
}

/** The transfer that the transaction itself makes; undefined if it makes none. */
function nativeTransfer(
  { receipt, transaction }: Subject,
  context: DecodeContext,
  minimum: Decimal,
): DecodedEvent | undefined {
  // A transaction that failed moved nothing.
  if (transaction.value === 0n || !receipt.isSuccessful) return undefined;
  const { native } = context;
  const to = receipt.to ?? receipt.contractAddress;
  const details: EventDetail[] = [{ heading: 'From', value: receipt.from, type: 'address' }];
  if (to !== null) details.push({ heading: 'To', value: to, type: 'address' });
  const amount = toAmount(context, { heading: 'Value', amount: transaction.value, token: native });
  const event = {
    action: 'Native Token Transfer',
    category: 'Token',
    name: 'Native Transfer',
    protocol: { name: native.name ?? '', logo: native.logo ?? '' },
    details,
    tokens: [amount.entry],
  };
  return isTooLittle({ event, worth: amount.worth }, minimum) ? undefined : event;
}

/** The transaction's own transfer, with its log if it has one and logs are wanted. */
function withLog(
  event: DecodedEvent,
  log: ReceiptLog | undefined,
  { context, subject }: { context: DecodeContext; subject: Subject | undefined },
): DecodedEvent {
  const rawLog =
    subject && log && toRawLog(log, { match: matchLog(log, context), subject, context });
  return rawLog ? { ...event, raw_log: rawLog } : event;
}

/** Logs between two pauses: some milliseconds of work. */
const logsInPiece = 128;

/** Does something for each log, in pieces. */
function* eachLog(
  logs: readonly ReceiptLog[],
  work: (log: ReceiptLog) => void,
): Generator<undefined, void> {
  for (const [i, log] of logs.entries()) {
    if (i > 0 && i % logsInPiece === 0) yield;
    work(log);
  }
}

function* decoding(input: DecodeInput): Generator<undefined, DecodeResponse> {
  const given = ownMembers(input, members, 'input');
  const minimum = readMinimum(given.minUsd);
  const receipt = readReceipt(given.receipt);
  const transaction = readTransaction(given.transaction, receipt);
  const block =
    (given.block ?? undefined) === undefined ? undefined : readBlock(given.block, receipt);
  const subject = { receipt, transaction, block };
  const context = toContext(given, receipt.logs);
  const settings = {
    unknown: given.unknown === true,
    subject: given.rawLogs === true ? subject : undefined,
    minimum,
  };
  const first = nativeTransfer(subject, context, minimum);
  const ownLog = ownTransferLog(receipt, transaction);
  const events = first ? [withLog(first, ownLog, { context, subject: settings.subject })] : [];
  yield* eachLog(receipt.logs, (log) => {
    if (log === ownLog) return;
    const event = decodeLog(log, context, settings);
    if (event) events.push(event);
  });
  return {
    success: true,
    events,
    tx_metadata: toMetadata(subject, context),
    explorers: toExplorerLinks(receipt, context.explorers),
  };
}

function* finding(input: LogsInput): Generator<undefined, MissingMetadata> {
  // The input of a whole decoding will do.
  const given = ownMembers(input as DecodeInput, members, 'input');
  const { logs } = readReceipt(given.receipt);
  const context = toContext(given, logs);
  const settings = { unknown: given.unknown === true, subject: undefined, minimum: zero };
  yield* eachLog(logs, (log) => {
    decodeLog(log, context, settings);
    // The raw form of a log names its contract, too.
    if (given.rawLogs === true && log.address) context.token(log.address);
  });
  return context.missing();
}

/** Takes all steps at once. */
function finish<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

async function finishInPieces<T>(
  steps: Generator<undefined, T>,
  pause: () => Promise<void>,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * Decodes the logs of a transaction into events that a person can read. Pure: it sends no request, and its result
 * follows from the input alone. A log that cannot be decoded never affects the others.
 *
 * @throws DecodeError if receipt, transaction or block are malformed, or not of one transaction
 * @throws TypeError or RangeError for a wrong option
 */
export function decodeTransaction(input: DecodeInput): DecodeResponse {
  return finish(decoding(input));
}

/**
 * The same as {@link decodeTransaction} for servers, which must not block: thousands of logs take a second.
 *
 * @param pause called every some milliseconds of work; what it throws ends the work
 */
export function decodeInPieces(
  input: DecodeInput,
  pause: () => Promise<void>,
): Promise<DecodeResponse> {
  return finishInPieces(decoding(input), pause);
}

/**
 * Names the contracts that decoding would like to know more of. Call it again with the answers: tokens of pools are
 * named once the pools are known, prices once the decimals are. Pass a contract that did not answer as an entry with
 * its address alone, so that it is not named again.
 *
 * @throws DecodeError if the receipt is malformed
 * @throws TypeError for a wrong option
 */
export function missingMetadata(input: LogsInput): MissingMetadata {
  return finish(finding(input));
}

/** The same as {@link missingMetadata}, in pieces; see {@link decodeInPieces}. */
export function missingInPieces(
  input: LogsInput,
  pause: () => Promise<void>,
): Promise<MissingMetadata> {
  return finishInPieces(finding(input), pause);
}
