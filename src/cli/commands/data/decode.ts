/** `l2proof decode`: what happened in a transaction, by logs that an L2 node has of it, or by logs that are proven. */
import type { DecodeResponse } from '../../../decode/index.js';
import type { Hex } from '../../../index.js';
import { installLine } from '../../../peer.js';
import { createDecoder, type Decoder, ServiceError } from '../../../service/index.js';
import { visible } from '../../../visible.js';
import { CliError, exitCodes, UsageError } from '../../exit/exit.js';
import { missing, namingNeeds, provingPeers, userOf } from '../../exit/needs.js';
import { asUsage, readArgs } from '../../flags/args.js';
import { decodeFlags, decodeProveFlags, readTx } from '../../flags/historyFlags.js';
import { readAbis } from '../../flags/serve/decoderFlags.js';
import { readSources } from '../../flags/trust.js';
import { askHistory, type Ground, type HistorySources } from '../../history/ask.js';
import { groundText, groundToJson } from '../../history/ground.js';
import { openProvenNode, type ProvenNode } from '../../history/provenNode.js';
import { decodedTable } from '../../print/decodedTable.js';
import type { Result } from '../../print/result.js';
import { printError } from '../../print/statusLine.js';

/** Names of the library's options -> options of the command. */
const names = { txHash: 'TX', url: '--l2', name: '--chain' };

/** All that `--prove` needs. */
const proving = { title: 'l2proof decode --prove', needs: ['viem', ...provingPeers] } as const;

function parseRequest(args: readonly string[]) {
  const { values, given, file } = readArgs(args, decodeFlags, 'TX');
  const tx = readTx(file);
  const { l2, chain, abis, unknown, prove, fork } = values;
  const wrapped = values['wrapped-native'];
  const needing = Object.keys(decodeProveFlags).find((name) => given.has(name));
  if (!prove && needing !== undefined) throw new UsageError(`--${needing} needs --prove`);
  const history = prove ? readSources(values, given) : undefined;
  return { tx, l2, chain, abis, wrapped, unknown, history, fork };
}

type Request = ReturnType<typeof parseRequest>;

function ended(cause: unknown): unknown {
  if (!(cause instanceof ServiceError && cause.code === 'MISSING_PEER')) {
    return asUsage(names, cause);
  }
  const text = `decoding needs viem; run: ${installLine(['viem'])}`;
  return missing(text, { cause });
}

/** @param node answers in the place of the one at `--l2` */
async function decode(
  { tx, l2, chain, abis: folder, wrapped, unknown }: Request,
  node?: ProvenNode,
): Promise<DecodeResponse> {
  const abis = folder === undefined ? undefined : await readAbis(folder);
  for (const item of abis?.skipped ?? []) {
    console.error(visible(`an event of an ABI was left out: ${item}`));
  }
  const own = node?.chain ?? { url: l2, timeout: 20_000 };
  const contracts = { wrappedNative: wrapped };
  let decoder: Decoder | undefined;
  try {
    decoder = await createDecoder({
      chains: [{ name: chain, ...own, contracts }],
      ...(abis && { abis }),
    });
    const question = { chainName: chain, txHash: tx, unknown, rawLogs: node !== undefined };
    const response = await decoder.decodeTransaction(question);
    if (response !== undefined) return response;
  } catch (cause) {
    throw ended(cause);
  } finally {
    await decoder?.close();
  }
  const text = 'the L2 node has no such transaction, or has not mined it yet';
  throw new CliError(exitCodes.unknown, text, { code: 'NOT_FOUND' });
}

/** The same, with all that is decoded proven under an anchored root. */
async function decodeProven(request: Request, asked: HistorySources) {
  const { history } = asked;
  const hash = request.tx.toLowerCase() as Hex;
  const transaction = await history.transaction(hash);
  const receipt = await history.receipt(hash);
  const header = await history.header(receipt.blockHash);
  const anchor = await history.anchor();
  const proven = { transaction, receipt, header, anchor };
  const node = await openProvenNode({ ...asked, ...proven, fork: request.fork });
  const response = await decode(request, node);
  node.check();
  for (const [contract, reason] of node.unproven) {
    printError(visible(`not proven, and left out: what ${contract} says of itself: ${reason}`));
  }
  return { response, assumed: [...node.assumed] };
}

/** Members of what was decoded, with a mark for each event. */
const marked = ({ events, ...response }: DecodeResponse) => ({
  ...response,
  events: events.map((event) => ({ ...event, proven: true })),
});

function provenResult(
  { response, assumed }: Awaited<ReturnType<typeof decodeProven>>,
  ground: Ground,
): Result {
  const words = assumed.map(
    (name) => `assumed of the calls that ask for names and decimals: ${name}\n`,
  );
  return {
    text: `verified\n${decodedTable(response, { isProven: true })}\n\n${words.join('')}${groundText(ground)}`,
    value: { ...groundToJson(ground), assumed, ...marked(response) },
  };
}

/**
 * Runs the command.
 *
 * @returns the events
 * @throws CliError, errors of the history
 */
export async function runDecode(args: readonly string[]): Promise<Result> {
  const request = parseRequest(args);
  if (request.history === undefined) {
    const response = await decode(request);
    return { text: decodedTable(response, { isProven: false }), value: response };
  }
  try {
    const { answer, ...ground } = await askHistory(
      request.history,
      (asked) => decodeProven(request, asked),
      userOf(proving.title, proving.needs),
    );
    return provenResult(answer, ground);
  } catch (cause) {
    throw namingNeeds(proving.title, proving.needs, cause);
  }
}
