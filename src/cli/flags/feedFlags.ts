/** The flags of the commands that write stores and their snapshots. */
import { UsageError } from '../exit/exit.js';
import { quote } from '../print/print.js';
import {
  addressFlag,
  consensusFlags,
  hashFlag,
  idleKeepState,
  l1,
  l2,
  metrics,
  network,
  readWholeNumber,
  root,
  store,
} from './common.js';
import type { Flags } from './flag.js';

export const loadFlags = {
  store: { ...store, help: `${store.help}; what it holds already is passed over` },
  hash: hashFlag,
  'keep-state': idleKeepState,
} as const satisfies Flags;

const snapshotStore = {
  ...store,
  help: 'folder of the LMDB store, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD',
} as const;

const block = {
  group: 'source',
  argument: 'N',
  read: readWholeNumber,
  help: 'export: a block that the store holds; if not given, the newest final one, or the newest if none is final. Else the block that the file must name',
} as const;

const chainId = {
  group: 'source',
  argument: 'N',
  read: readWholeNumber,
  help: 'export: id of the L2 chain, written into the file. Else the one that the file must name',
} as const;

export const exportFlags = {
  store: snapshotStore,
  out: {
    argument: 'FILE|-',
    required: 'the file to write, or -',
    help: 'the file to write, which replaces an older one; - for standard output',
  },
  block,
  'chain-id': chainId,
  hash: hashFlag,
} as const satisfies Flags;

/** Of `snapshot verify`. */
export const checkFlags = {
  root: { ...root, help: 'state root that you trust, 32 bytes, or a file that holds it' },
  network: {
    argument: network.argument,
    help: "mainnet, sepolia, or a file with the members of a network as JSON: L1 is asked for the root of the file's block, which proves its number, too",
  },
  l1,
  'l1-block-hash': {
    group: 'security',
    argument: 'HEX',
    help: 'hash of an L1 block that you trust, 32 bytes: the root is then proven from it',
  },
  ...consensusFlags,
  block,
  'block-hash': {
    group: 'security',
    argument: 'HEX',
    help: 'hash of the block that the file must name',
  },
  'chain-id': chainId,
  hash: hashFlag,
} as const satisfies Flags;

/** Of `snapshot info`. */
export const infoFlags = {} as const satisfies Flags;

export const importFlags = { store: snapshotStore, ...checkFlags } as const satisfies Flags;

export const statusFlags = {
  store: {
    ...store,
    help: 'folder of the LMDB store of a state or an index, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD',
  },
} as const satisfies Flags;

export const migrateFlags = {
  store: {
    ...store,
    help: 'folder of an LMDB store that an older release wrote. It is converted in place, and refused until that is done; after an interruption, run the same command again. Copy it before: the older release cannot read it any more',
  },
  'keep-state': {
    help: "converts a store that version 0.1 wrote, too, and keeps its state as it is: right only if no block ever took an account's code away",
  },
} as const satisfies Flags;

/** The most seconds that a timer takes. */
const longestTime = Math.floor((2 ** 31 - 1) / 1000);

/** @throws UsageError */
function readSeconds(text: string, name: string): number {
  const seconds = readWholeNumber(text, name);
  if (seconds >= 1 && seconds <= longestTime) return seconds;
  throw new UsageError(`${name} expected seconds from 1 to ${longestTime}, got ${quote(text)}`);
}

export const followFlags = {
  store,
  genesis: {
    argument: 'FILE',
    help: "a state file or geth's genesis.json that an empty store begins with",
  },
  'genesis-root': {
    ...root,
    group: 'security',
    help: 'Merkle-Patricia root of the genesis; if not given, the L2 node is believed. A genesis with another root is refused, and nothing of it is kept',
  },
  l2: {
    ...l2,
    required: 'the URL of an L2 node',
    help: 'an L2 node with debug_traceBlockByNumber',
  },
  fork: {
    argument: 'FORK[@TIME][,...]',
    help: "the chain's hard fork: london, paris, shanghai, cancun, prague, osaka or amsterdam; if several, each with the time in seconds from which it holds: shanghai@0,cancun@1700000000. If not given, the forks in the config of the genesis.json",
  },
  l1: {
    argument: 'URL',
    environment: 'L2PROOF_L1',
    help: 'an L1 endpoint that is asked what is final',
  },
  rollup: {
    ...addressFlag,
    help: 'address of the rollup contract on L1, whose roots must be those of the store',
  },
  hash: hashFlag,
  'trace-timeout': {
    group: 'limits',
    argument: 'SECONDS',
    read: readSeconds,
    default: '120',
    help: 'seconds in which the L2 node must have traced a transaction, and have answered with a whole block',
  },
  mints: {
    group: 'security',
    help: 'transactions of this chain make value, or its base fees are not burnt; if not given, a block whose traces show more value after a transaction than before is refused',
  },
  metrics: {
    ...metrics,
    help: 'port on 127.0.0.1 of Prometheus metrics, at /metrics: newest block, lag, final block, distrust',
  },
  once: {
    help: 'stop at the newest block; also stop, with exit code 4, if a node does not answer',
  },
  'keep-state': idleKeepState,
} as const satisfies Flags;

export const indexFlags = {
  store: {
    argument: 'DIR|URL',
    required: 'the folder of the index, or its database',
    help: 'folder of the LMDB store that takes the index, created if it is not there, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD: then servers on any number of machines read it',
  },
  l2: {
    ...l2,
    help: 'an L2 node that has the receipts of all blocks; with --only tokens, their logs; with --check, one that holds the state of the newest block of the index',
  },
  only: {
    argument: 'tokens',
    choices: ['tokens'],
    help: 'a new index only notes which wallets may hold which tokens, from logs: enough for balances, and smaller. If not given, a new index holds transactions, transfers, sums and logs too; one that is there keeps what it was begun with',
  },
  metrics: {
    ...metrics,
    help: 'port on 127.0.0.1 of Prometheus metrics of its progress, at /metrics',
  },
  once: { help: "ends at the node's newest block" },
  check: {
    help: 'feeds nothing: looks at 1000 contracts of the index, and as many wallets, chosen by chance; whether counts, orders and sums fit together and, if --l2 is given, are what the contracts say. Also beside a writer',
  },
} as const satisfies Flags;
