/** Shows a list of a data interface: a table for people, lines for programs. The server is believed. */
import type { DataClient, ListPage } from '../../../data/index.js';
import { loadPeer } from '../../../peer.js';
import { visibleLines } from '../../../visible.js';
import { CliError, exitCodes } from '../../exit/exit.js';
import { namingNeeds, userOf } from '../../exit/needs.js';
import { asUsage, fromEnvironment, type Names } from '../../flags/args.js';
import { colored } from '../../print/color.js';
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
}

/** A list, and how it is shown. */
export interface List<T> {
  /** Of the command. */
  readonly name: string;
  /** One of the items, such as `transaction`. */
  readonly item: string;
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

/** Whether they are all, and of which block, for programs. */
const summaryOf = <T>({ item }: List<T>, { page, count, isWhole }: Shown<T>) => ({
  complete: isWhole,
  [`${item}s`]: count,
  blockNumber: page.blockNumber ?? null,
  blockHash: page.blockHash ?? null,
});

/** Reads a list to its end, or to the limit. @param take gets each item @throws what the client throws */
async function read<T>(
  { url, chain, auth, limit }: ListRequest,
  list: List<T>,
  take: (item: T, place: number) => void,
): Promise<Shown<T>> {
  const user = userOf(`l2proof ${list.name}`, ['zod']);
  const { createDataClient } = await loadPeer(user, 'zod', import('../../../data/index.js'));
  const client = createDataClient({ url, key: fromEnvironment('L2PROOF_DATA_KEY'), auth, chain });
  const progress = startProgress();
  let first: ListPage<T> | undefined;
  let count = 0;
  try {
    const size = limit > pageSizes.small ? pageSizes.large : pageSizes.small;
    for await (const page of list.pages(client, size)) {
      first ??= page;
      const items = page.items.slice(0, limit - count);
      for (const item of items) take(item, count++);
      const isCut = items.length < page.items.length || page.hasMore;
      if (!isCut) return { page: first, count, isWhole: true };
      if (count === limit) break;
      progress.update({ phase: 'reading', figures: countText(count, list.item), done: count });
    }
  } finally {
    progress.stop();
  }
  return { page: first as ListPage<T>, count, isWhole: false };
}

/** A table that is not too long to be kept. */
function createRows<T>(list: List<T>) {
  const rows: Row[] = [];
  let length = 0;
  return {
    rows,
    /** @throws CliError */
    take(item: T, place: number): void {
      for (const row of list.rows(item, place)) {
        rows.push(row);
        length += row.reduce((sum, cell) => sum + cell.length, 0);
        if (length <= mostText) continue;
        const text = `the table has more than ${mostText} characters; give a smaller --limit, or --json`;
        throw new CliError(exitCodes.unknown, text, { code: 'INCOMPLETE' });
      }
    },
  };
}

/** Shows a list. @throws CliError, DataError */
export async function showList<T>(request: ListRequest, list: List<T>): Promise<undefined> {
  const { rows, take } = createRows(list);
  const { json, limit } = request;
  const onItem = json ? (item: T) => printLine(item as object) : take;
  const shown = await read(request, list, onItem).catch((cause) => {
    throw namingNeeds(`l2proof ${list.name}`, ['zod'], asUsage(names, cause));
  });
  if (json) {
    printLine(summaryOf(list, shown));
    return;
  }
  const text =
    rows.length === 0
      ? 'nothing'
      : `${list.title(shown)}\n${table([list.heading, ...rows], list.right)}`;
  console.log(colored(visibleLines(text), process.stdout));
  if (!shown.isWhole)
    printError(`there are more than ${countText(limit, list.item)}: --limit shows more`);
}

/** The word of the server on the block that a list is of. */
export const listedBlockText = ({ blockNumber }: ListPage<unknown>): string =>
  blockNumber === undefined ? '' : ` at block ${blockNumber}`;
