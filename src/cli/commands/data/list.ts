/** Shows a list of a data interface: a table for people, lines for programs. The server is believed, but for what is verified. */
import type { DataClient, ListPage } from '../../../data/index.js';
import { loadPeer } from '../../../peer.js';
import { visible, visibleLines } from '../../../visible.js';
import { CliError, exitCodes } from '../../exit/exit.js';
import { namingNeeds, userOf } from '../../exit/needs.js';
import { asUsage, fromEnvironment, type Names } from '../../flags/args.js';
import { type FoundRoot, findRoot, type Proving, proverOf } from '../../flags/proveFlags.js';
import { colored } from '../../print/color.js';
import { assumedText, evidenceText } from '../../print/evidence.js';
import { startProgress } from '../../print/progress.js';
import { countText, printLine } from '../../print/result.js';
import { printError } from '../../print/statusLine.js';
import { type Row, table } from '../../print/table.js';

/** Names of the client's options -> options of the commands. */
const names: Names = {
  url: '--url',
  key: 'L2PROOF_DATA_KEY',
  auth: '--auth',
  chainName: '--chain',
  fork: '--fork',
};

/** Characters of a table that are kept. */
const mostText = 128 * 2 ** 20;

/** Sizes of pages that all services know. */
const pageSizes = { small: 100, large: 1000 };

/** What a command was given. */
export interface ListRequest {
  readonly url: string;
  /** Undefined: the list is of several. */
  readonly chain: string | undefined;
  readonly auth: 'basic' | 'bearer';
  readonly limit: number;
  readonly json: boolean;
}

/** What was shown of a list. */
export interface Shown<T> {
  /** The first page. */
  readonly page: ListPage<T>;
  readonly count: number;
  /** Whether the server says that there are no others. */
  readonly isWhole: boolean;
  /** Under a root: what of it is not proven. */
  readonly assumed: ReadonlySet<string>;
  /** The last page that was read. */
  readonly last: ListPage<T>;
}

/** A list, and how it is shown. */
export interface List<T> {
  /** Of the command. */
  readonly name: string;
  /** One of the items, such as `transaction`. */
  readonly item: string;
  /** What an item is about, such as the hash of a transaction. */
  nameOf(item: T): string;
  /** @param pageSize items of a page */
  pages(client: DataClient, pageSize: number): AsyncIterable<ListPage<T>>;
  readonly heading: Row;
  /** The columns of numbers. */
  readonly right: readonly number[];
  /** @param place of the item in the list, from 0 */
  rows(item: T, place: number): readonly Row[];
  /** The line above the table. */
  title(shown: Shown<T>): string;
}

/** Whether the proven balances of a page of holders, and of those before it, are all that there is of the token. */
const provenComplete = (page: ListPage<unknown>): boolean | undefined =>
  (page as { readonly complete?: boolean }).complete;

/** Whether they are all, and of which block, for programs. */
const summaryOf = <T>(
  { item }: List<T>,
  { page, last, count, isWhole, assumed }: Shown<T>,
  trust: FoundRoot | undefined,
) => ({
  complete: isWhole && (provenComplete(last) ?? true),
  [`${item}s`]: count,
  blockNumber: page.blockNumber ?? null,
  blockHash: page.blockHash ?? null,
  ...(trust && { assumed: [...assumed] }),
});

/** What of a page is not proven; of one that nothing was said of, nothing is. */
const assumedOf = ({ items, assumed }: ListPage<unknown>): readonly string[] => {
  const isProven = items.every((item) => (item as { verified?: unknown }).verified === true);
  return isProven || assumed.length > 0 ? assumed : ['everything'];
};

/** Reads a list to its end, or to the limit. @param take gets each item @throws what the client throws */
async function read<T>(
  { url, chain, auth, limit }: ListRequest,
  list: List<T>,
  {
    take,
    proving,
    trust,
  }: {
    take: (item: T, place: number) => void;
    proving: Proving | undefined;
    trust: FoundRoot | undefined;
  },
): Promise<Shown<T>> {
  const user = proving ? proverOf(list.name) : userOf(`l2proof ${list.name}`, ['zod']);
  const { createDataClient } = await loadPeer(user, 'zod', import('../../../data/index.js'));
  const key = fromEnvironment('L2PROOF_DATA_KEY');
  const fork = proving?.fork;
  const client = createDataClient({ url, key, auth, chain, ...trust, ...(fork && { fork }) });
  const progress = startProgress();
  const assumed = new Set<string>();
  let first: ListPage<T> | undefined;
  let last: ListPage<T> | undefined;
  let count = 0;
  let isWhole = false;
  try {
    // Pages with proofs are not longer.
    const size = limit > pageSizes.small && !trust ? pageSizes.large : pageSizes.small;
    for await (const page of list.pages(client, size)) {
      first ??= page;
      last = page;
      if (trust) for (const word of assumedOf(page)) assumed.add(word);
      const items = page.items.slice(0, limit - count);
      for (const item of items) take(item, count++);
      for (const item of page.unproven) {
        printError(visible(`not proven, and left out: ${list.nameOf(item)}`));
      }
      isWhole = items.length === page.items.length && !page.hasMore;
      if (isWhole || count === limit) break;
      progress.update({ phase: 'reading', figures: countText(count, list.item), done: count });
    }
  } finally {
    progress.stop();
  }
  const pages = { page: first as ListPage<T>, last: last as ListPage<T> };
  return { ...pages, count, isWhole, assumed };
}

/** What the rows stand under, and what of them is not proven. */
function groundLines(
  { anchor: { l2BlockNumber, stateRoot, consensus } }: FoundRoot,
  { assumed, isWhole, last }: Shown<unknown>,
): readonly string[] {
  const complete = isWhole ? provenComplete(last) : undefined;
  return [
    `rows with yes are verified at L2 block ${l2BlockNumber}, under state root ${stateRoot}`,
    ...(consensus ? [`under ${evidenceText(consensus)}`] : []),
    ...(complete === true ? ['nothing is left out: the rows add up to the total supply'] : []),
    ...(complete === false
      ? ['the rows do not add up to the total supply: some may be left out']
      : []),
    assumedText(assumed),
  ].filter((line) => line !== '');
}

/** A table that is not too long to be kept. */
function createRows<T>(list: List<T>, isProving: boolean) {
  const rows: Row[] = [];
  let length = 0;
  return {
    rows,
    /** @throws CliError */
    take(item: T, place: number): void {
      const { verified } = item as { readonly verified?: unknown };
      const mark = isProving ? [verified === true ? 'yes' : 'no'] : [];
      for (const cells of list.rows(item, place)) {
        const row = [...cells, ...mark];
        rows.push(row);
        length += row.reduce((sum, cell) => sum + cell.length, 0);
        if (length <= mostText) continue;
        const text = `the table has more than ${mostText} characters; give a smaller --limit, or --json`;
        throw new CliError(exitCodes.unknown, text, { code: 'INCOMPLETE' });
      }
    },
  };
}

/** Shows a list. @param proving undefined: the server is believed @throws CliError, DataError */
export async function showList<T>(
  request: ListRequest,
  proving: Proving | undefined,
  list: List<T>,
): Promise<undefined> {
  const { json, limit } = request;
  const trust = proving && (await findRoot(proving));
  const { rows, take } = createRows(list, trust !== undefined);
  const onItem = json ? (item: T) => printLine(item as object) : take;
  const shown = await read(request, list, { take: onItem, proving, trust }).catch((cause) => {
    const { title, needs } = proving
      ? proverOf(list.name)
      : { title: `l2proof ${list.name}`, needs: ['zod'] as const };
    throw namingNeeds(title, needs, asUsage(names, cause));
  });
  if (json) {
    printLine(summaryOf(list, shown, trust));
    return;
  }
  const heading = [...list.heading, ...(trust ? ['proven'] : [])];
  const text =
    rows.length === 0
      ? 'nothing'
      : `${list.title(shown)}\n${table([heading, ...rows], list.right)}`;
  const ground = trust ? groundLines(trust, shown) : [];
  console.log(colored(visibleLines([text, ...ground].join('\n')), process.stdout));
  if (!shown.isWhole)
    printError(`there are more than ${countText(limit, list.item)}: --limit shows more`);
}

/** The word of the server on the block that a list is of. */
export const listedBlockText = ({ blockNumber }: ListPage<unknown>): string =>
  blockNumber === undefined ? '' : ` at block ${blockNumber}`;
