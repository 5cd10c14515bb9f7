/** How the commands are used. */
import { withOutput } from '../flags/output.js';
import { answerPages } from './answerPages.js';
import { helpText, type Page, wrap } from './page.js';
import { storePages } from './storePages.js';

const { verify, explain, fetch, message, proxy, logs, decode } = answerPages;
const { load, follow, serve, index, snapshot, status, migrate, devnet, completion } = storePages;

/** A line of the help of all: a command, or several that belong together, and what it does. */
type Line = readonly [names: string, summary: string];

const linesOf = (own: Readonly<Record<string, Page>>): Line[] =>
  Object.entries(own).map(([name, { summary }]) => [name, summary]);

/** What the help of all commands puts together. It is a screen: some commands share a line. */
const parts: Readonly<Record<string, readonly Line[]>> = {
  'Prove what a server says': [
    ...linesOf({ verify, explain, fetch }),
    ['compact, calldata', 'Show a saved answer as a compact proof, as calls'],
    ...linesOf({ message, proxy }),
  ],
  'Read what happened': [
    ['tx, block', 'Show a transaction with its receipt, or a block, proven'],
    ...linesOf({ logs, decode }),
    ['balances, transactions, transfers, holders', 'List what a data server says'],
    ['allowances, nfts, activity, portfolio', 'The same of approvals, NFTs, days'],
  ],
  'Run a server, and more': linesOf({
    ...{ load, follow, serve, index, status, snapshot, migrate, devnet, completion },
  }),
};

/** The name of a command. */
export type Command = keyof typeof answerPages | keyof typeof storePages;

/** The help of each command, with the flags that all take. */
export const pages = Object.fromEntries(
  Object.entries<Page>({ ...answerPages, ...storePages }).map(([name, page]) => [
    name,
    { ...page, flags: withOutput(page.flags) },
  ]),
) as Readonly<Record<Command, Page>>;

/** The names of all. */
export const commands = Object.keys(pages) as Command[];

/** The help of a command. */
export const usageOf = (name: Command): string => helpText(pages[name]);

const exits =
  '0 verified, or done; 1 not verified; 2 malformed answer or file; 3 usage, a file or a missing package; 4 could not find out.';

/** The help of all. */
export function mainUsage(): string {
  const lines = Object.entries(parts).flatMap(([title, own]) => [
    `${title}:`,
    ...own.map(([names, summary]) => `  ${names.padEnd(10)}  ${summary}`),
  ]);
  return [
    'l2proof COMMAND [flags]',
    '',
    ...lines,
    '',
    'l2proof help COMMAND shows the flags of one; l2proof version, the version.',
    'URLs and keys are safer in the environment: others can see the command line.',
    wrap(`Exit codes: ${exits}`, 0, 0),
  ].join('\n');
}
