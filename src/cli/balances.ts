/** `l2proof balances`: what a wallet holds, as a data interface says it. */

import type { AnchoredRoot } from '../anchor/index.js';
import type { BalanceItem, DataError } from '../data/index.js';
import type { Hex } from '../index.js';
import { loadPeer } from '../peer.js';
import { asUsage, flag, fromEnvironment, option, readArgs } from './args.js';
import { wholeTokens } from './decodedTable.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { needsMore, userOf } from './needs.js';
import { plain } from './print.js';
import { findRoot, proveOptions, user as prover, readProving } from './proving.js';

const user = userOf('l2proof balances', ['zod']);

/** Names of the client's options -> options of the command. */
const names = {
  url: '--url',
  key: 'L2PROOF_DATA_KEY',
  auth: '--auth',
  chainName: '--chain',
  fork: '--fork',
  address: '--address',
};

function parseRequest(args: readonly string[]) {
  const { values } = readArgs(
    args,
    { address: option, url: option, chain: option, auth: option, json: flag, ...proveOptions },
    0,
  );
  const { address, url = fromEnvironment('L2PROOF_DATA'), chain, auth = 'basic' } = values;
  if (address === undefined) throw new UsageError('--address is required: the wallet');
  if (url === undefined) {
    throw new UsageError('--url or L2PROOF_DATA is required: the URL of a data interface');
  }
  if (chain === undefined) throw new UsageError('--chain is required: the name of the chain');
  if (auth !== 'basic' && auth !== 'bearer')
    throw new UsageError('--auth expected basic or bearer');
  const key = fromEnvironment('L2PROOF_DATA_KEY');
  return {
    ...({ address: address as Hex, url, chain, auth, key } as const),
    ...{ json: values.json ?? false, proving: readProving(values) },
  };
}

type Request = ReturnType<typeof parseRequest>;

/**
 * Codes of malformed answers, and of questions that the server refuses. All other codes mean that the server did not
 * answer.
 */
const malformed = ['NOT_JSON', 'BAD_ANSWER', 'TOO_LARGE'];
const refused = ['INVALID_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND'];

function toCliError(cause: unknown): unknown {
  // By its name: the class comes with a package that may be missing.
  const { name, code, message } = cause as DataError;
  if (name !== 'DataError') return asUsage(names, cause);
  if (code === 'NOT_VERIFIED') return new CliError(exitCodes.notVerified, message, { cause });
  // What reads a page loads the engine: zod was there before.
  if (code === 'MISSING_PEER') {
    return new CliError(exitCodes.usage, needsMore(prover.title, prover.needs), { cause });
  }
  const other = refused.includes(code) ? exitCodes.usage : exitCodes.unknown;
  const exitCode = malformed.includes(code) ? exitCodes.malformed : other;
  return new CliError(exitCode, message, { cause });
}

const forkAssumed =
  'assumed: the newest hard fork that is known here; --fork names that of the chain';

async function itemsOf(
  { address, url, chain, auth, key, proving }: Request,
  anchor: AnchoredRoot | undefined,
): Promise<BalanceItem[]> {
  const module = import('../data/index.js');
  const { createDataClient } = await loadPeer(proving ? prover : user, 'zod', module);
  const items: BalanceItem[] = [];
  let isForkAssumed = false;
  try {
    const client = createDataClient({ url, key, auth, chain });
    const fork = proving?.fork;
    const question = { address, ...(anchor && { anchor }), ...(fork && { fork }) };
    for await (const page of client.balances(question)) {
      items.push(...page.items);
      isForkAssumed ||= page.assumed.includes('fork');
      for (const { contract_address: contract } of page.unproven) {
        process.stderr.write(`not proven, and left out: ${contract}\n`);
      }
    }
  } catch (cause) {
    throw toCliError(cause);
  }
  if (isForkAssumed) process.stderr.write(`${forkAssumed}\n`);
  return items;
}

/** Amount, token, worth and contract of an item. */
function rowOf(item: BalanceItem): readonly string[] {
  const { balance, contract_decimals: decimals, contract_ticker_symbol: symbol } = item;
  const amount = balance ?? '?';
  const isWhole = typeof decimals === 'number' && decimals >= 0 && decimals <= 77;
  const ids = item.nft_data?.map(({ token_id }) => token_id ?? '?') ?? [];
  const token = symbol ?? item.contract_name ?? (item.type === 'nft' ? 'NFT' : 'units');
  return [
    isWhole && balance ? wholeTokens(balance, decimals) : amount,
    ids.length > 0 ? `${token} ${ids.join(', ')}` : token,
    item.pretty_quote ?? '',
    item.native_token ? '' : item.contract_address,
  ];
}

/** Columns, aligned; numbers to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3].map((i) => Math.max(0, ...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      plain(
        row
          .map((cell, i) =>
            i % 2 === 0 ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number),
          )
          .join('  ')
          .trimEnd(),
      ),
    )
    .join('\n');
}

/** Runs the command. @returns what to print @throws CliError */
export async function runBalances(args: readonly string[]): Promise<string> {
  const request = parseRequest(args);
  const anchor = request.proving && (await findRoot(request.proving));
  const items = await itemsOf(request, anchor);
  if (request.json) return items.map((item) => JSON.stringify(item)).join('\n');
  const text = items.length === 0 ? 'nothing' : table(items.map(rowOf));
  return anchor ? `verified at L2 block ${anchor.l2BlockNumber}\n${text}` : text;
}
