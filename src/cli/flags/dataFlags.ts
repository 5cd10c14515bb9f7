/** The flags of the commands that ask a data interface. */
import { UsageError } from '../exit/exit.js';
import { proveFlags } from './askFlags.js';
import { parseAddress } from './claimValues.js';
import { addressFlag, readWholeNumber } from './common.js';
import type { Flags, Values } from './flag.js';

/** Where the interface is, and who asks. */
const dataSource = {
  url: {
    argument: 'URL',
    environment: 'L2PROOF_DATA',
    required: 'the URL of a data interface',
    help: 'a data interface, such as that of l2proof serve --data',
  },
  chain: { argument: 'NAME', required: 'the name of the chain', help: 'name of the chain' },
  auth: {
    group: 'security',
    argument: 'WAY',
    choices: ['basic', 'bearer'],
    default: 'basic',
    help: 'how the key in L2PROOF_DATA_KEY is sent: basic or bearer',
  },
} as const satisfies Flags;

export const balancesFlags = {
  address: { ...addressFlag, required: 'the wallet', help: 'the wallet' },
  ...dataSource,
  json: {
    group: 'output',
    help: 'print the items, one a line, as the server words them; with --prove, amounts, tokens and decimals are proven, decimals that are not are null, and members that the library does not know are left out',
  },
  prove: {
    help: 'verify each amount under a root that L1 holds, or that you trust; the service needs a state of its own',
  },
  ...proveFlags,
} as const satisfies Flags;

const prove = {
  help: 'verify each item under a root that L1 holds, or that you trust; the service needs a state of its own. Items that it cannot prove are named on standard error, and left out',
} as const;

/** Of a command whose answers cannot be proven: it says so. */
const neverProven = {
  prove: { help: 'refused: nothing of this can be proven' },
} as const satisfies Flags;

/** @throws UsageError */
export function refuseProving({ prove }: Values<typeof neverProven>): void {
  if (prove) throw new UsageError('--prove: nothing of this can be proven; leave it out');
}

/** @throws UsageError */
function readLimit(text: string, name: string): number {
  const limit = readWholeNumber(text, name);
  if (limit > 0) return limit;
  throw new UsageError(`${name} expected a whole number from 1`);
}

/** An operand that is an address. @throws UsageError */
export function readAddressOperand(text: string, name: string, whose: string): `0x${string}` {
  if (text === '-') throw new UsageError(`${name} is required: ${whose}`);
  return parseAddress(text, name);
}

const limit = {
  group: 'limits',
  argument: 'N',
  default: '100',
  read: readLimit,
} as const;

const json = {
  group: 'output',
  help: 'print the items, one a line, as the server words them, and a last line that says whether these are all',
} as const;

/** The same of a command with `--prove`. */
const provenJson = {
  ...json,
  help: `${json.help}; with --prove, they have "verified", hold what is proven and what is known to be the server's word, and the last line says in "assumed" what is not proven`,
} as const;

export const transactionsFlags = {
  ...dataSource,
  limit: { ...limit, help: 'most transactions that are shown, the newest' },
  json: provenJson,
  prove,
  ...proveFlags,
} as const satisfies Flags;

export const transfersFlags = {
  token: {
    argument: 'ADDRESS',
    read: parseAddress,
    help: 'the token; default all ERC-20 tokens, which services of others may refuse',
  },
  ...dataSource,
  from: {
    argument: 'BLOCK',
    read: readWholeNumber,
    group: 'limits',
    help: 'number of the first block',
  },
  to: {
    argument: 'BLOCK',
    read: readWholeNumber,
    group: 'limits',
    help: 'number of the last block',
  },
  limit: { ...limit, help: 'most transactions whose transfers are shown, the newest' },
  json: provenJson,
  prove,
  ...proveFlags,
} as const satisfies Flags;

export const allowancesFlags = {
  ...dataSource,
  limit: { ...limit, help: 'most tokens whose spenders are shown' },
  json: provenJson,
  prove,
  ...proveFlags,
} as const satisfies Flags;

const { chain: _, ...anySource } = dataSource;

export const activityFlags = {
  ...anySource,
  testnets: { help: 'list testnets, too' },
  json,
  ...neverProven,
} as const satisfies Flags;

/** Days that services of this library tell of. */
const mostDays = 366;

/** @throws UsageError */
function readDays(text: string, name: string): number {
  const days = readWholeNumber(text, name);
  if (days > 0 && days <= mostDays) return days;
  throw new UsageError(`${name} expected a whole number from 1 to ${mostDays}`);
}

export const portfolioFlags = {
  days: {
    argument: 'N',
    default: '30',
    read: readDays,
    help: 'how many days up to now, the one that is not over among them',
  },
  ...dataSource,
  limit: { ...limit, help: 'most tokens that are shown' },
  json,
  ...neverProven,
} as const satisfies Flags;

export const nftsFlags = {
  ...dataSource,
  limit: { ...limit, help: 'most contracts whose tokens are shown' },
  json: provenJson,
  prove,
  ...proveFlags,
} as const satisfies Flags;

export const holdersFlags = {
  ...dataSource,
  limit: { ...limit, help: 'most holders that are shown, the largest' },
  json: provenJson,
  prove,
  ...proveFlags,
} as const satisfies Flags;
