/** `l2proof decode`: what happened in a transaction, by the logs that an L2 node has of it. */
import type { DecodeResponse } from '../../decode/index.js';
import type { Hex } from '../../index.js';
import { installLine } from '../../peer.js';
import { createDecoder, type Decoder, ServiceError } from '../../service/index.js';
import { visible } from '../../visible.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { missing } from '../exit/needs.js';
import { asUsage, readArgs } from '../flags/args.js';
import { decodeFlags } from '../flags/askFlags.js';
import { readAbis } from '../flags/decoderFlags.js';
import { decodedTable } from '../print/decodedTable.js';
import type { Result } from '../print/result.js';

/** Names of the library's options -> options of the command. */
const names = { txHash: 'TX', url: '--l2', name: '--chain' };

function parseRequest(args: readonly string[]) {
  const { values, file: tx } = readArgs(args, decodeFlags, 'TX');
  if (tx === '-') throw new UsageError('TX is required: the hash of the transaction');
  const { l2, chain, abis, unknown } = values;
  const wrapped = values['wrapped-native'];
  return { tx: tx as Hex, l2, chain, abis, wrapped, unknown };
}

type Request = ReturnType<typeof parseRequest>;

function ended(cause: unknown): unknown {
  if (!(cause instanceof ServiceError && cause.code === 'MISSING_PEER')) {
    return asUsage(names, cause);
  }
  const text = `decoding needs viem; run: ${installLine(['viem'])}`;
  return missing(text, { cause });
}

async function decode(request: Request): Promise<DecodeResponse> {
  const { tx, l2, chain, wrapped, unknown } = request;
  const own = request.abis === undefined ? {} : { abis: await readAbis(request.abis) };
  for (const item of own.abis?.skipped ?? []) {
    console.error(visible(`an event of an ABI was left out: ${item}`));
  }
  const contracts = { wrappedNative: wrapped };
  let decoder: Decoder | undefined;
  try {
    decoder = await createDecoder({
      chains: [{ name: chain, url: l2, timeout: 20_000, contracts }],
      ...own,
    });
    const response = await decoder.decodeTransaction({ chainName: chain, txHash: tx, unknown });
    if (response !== undefined) return response;
  } catch (cause) {
    throw ended(cause);
  } finally {
    await decoder?.close();
  }
  const text = 'the L2 node has no such transaction, or has not mined it yet';
  throw new CliError(exitCodes.unknown, text, { code: 'NOT_FOUND' });
}

/**
 * Runs the command.
 *
 * @returns the events
 * @throws CliError
 */
export async function runDecode(args: readonly string[]): Promise<Result> {
  const response = await decode(parseRequest(args));
  return { text: decodedTable(response), value: response };
}
