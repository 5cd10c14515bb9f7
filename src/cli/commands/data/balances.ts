/** `l2proof balances`: what a wallet holds, as a data interface says it. */

import type { BalanceItem } from '../../../data/index.js';
import { loadPeer } from '../../../peer.js';
import { visible, visibleLines } from '../../../visible.js';
import { CliError, exitCodes } from '../../exit/exit.js';
import { namingNeeds, userOf } from '../../exit/needs.js';
import { asUsage, fromEnvironment, readArgs } from '../../flags/args.js';
import { balancesFlags } from '../../flags/dataFlags.js';
import { type FoundRoot, findRoot, proverOf, readProving } from '../../flags/proveFlags.js';
import { balancesTable, verifiedTable } from '../../print/balancesTable.js';
import { colored } from '../../print/color.js';
import { assumedTexts, evidenceText } from '../../print/evidence.js';
import { countText, printLine } from '../../print/result.js';

const user = userOf('l2proof balances', ['zod']);
const prover = proverOf('balances');

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
  const { values, given } = readArgs(args, balancesFlags, 0);
  const { address, url, chain, auth, json } = values;
  const key = fromEnvironment('L2PROOF_DATA_KEY');
  const proving = readProving('balances', values, given);
  return { address, url, chain, auth, key, json, proving };
}

type Request = ReturnType<typeof parseRequest>;

/** Pages that are asked for: a wallet of 100,000 holdings, which no service goes beyond, has 1,001 of 100 each. */
const mostPages = 1024;

/** Characters of items, as JSON, that are kept; a thousand of an honest one take a million. */
const mostText = 128 * 2 ** 20;

interface Listing {
  readonly items: readonly BalanceItem[];
  /** Why there may be more of them; undefined if the server says that these are all. */
  readonly cut: string | undefined;
}

async function list(
  { address, url, chain, auth, key, proving }: Request,
  trust: FoundRoot | undefined,
): Promise<Listing> {
  const module = import('../../../data/index.js');
  const { createDataClient } = await loadPeer(proving ? prover : user, 'zod', module);
  let items: BalanceItem[] = [];
  let [pages, text, isForkAssumed] = [0, 0, false];
  let cut: string | undefined;
  try {
    const client = createDataClient({ url, key, auth, chain });
    const fork = proving?.fork;
    const question = { address, ...trust, ...(fork && { fork }) };
    for await (const page of client.balances(question)) {
      pages++;
      text += JSON.stringify(page.items).length;
      items = items.concat(page.items);
      isForkAssumed ||= page.assumed.includes('fork');
      for (const { contract_address: contract } of page.unproven) {
        process.stderr.write(`${visible(`not proven, and left out: ${contract}`)}\n`);
      }
      if (!page.hasMore) break;
      if (pages === mostPages) cut = `the server has more than ${mostPages} pages`;
      else if (text > mostText) cut = `the server lists more than ${mostText} characters`;
      if (cut !== undefined) break;
    }
  } catch (cause) {
    // What reads a page loads the engine: zod was there before.
    throw namingNeeds(prover.title, prover.needs, asUsage(names, cause));
  }
  if (isForkAssumed) process.stderr.write(`assumed: ${assumedTexts.fork}\n`);
  return { items, cut };
}

function textOf(items: readonly BalanceItem[], trust: FoundRoot | undefined): string {
  if (trust === undefined) return items.length === 0 ? 'nothing' : balancesTable(items);
  const { l2BlockNumber, consensus } = trust.anchor;
  const lines = [
    `verified at L2 block ${l2BlockNumber}`,
    ...(consensus ? [`under ${evidenceText(consensus)}`] : []),
    items.length === 0 ? 'nothing' : verifiedTable(items),
  ];
  return lines.join('\n');
}

/** Runs the command. @throws CliError */
export async function runBalances(args: readonly string[]): Promise<undefined> {
  const request = parseRequest(args);
  const trust = request.proving && (await findRoot(request.proving));
  const { items, cut } = await list(request, trust);
  if (!request.json) console.log(colored(visibleLines(textOf(items, trust)), process.stdout));
  else for (const item of items) printLine(item);
  if (cut === undefined) return;
  const text = `the list is cut after ${countText(items.length, 'item')}: ${cut}`;
  throw new CliError(exitCodes.unknown, text, { code: 'INCOMPLETE' });
}
