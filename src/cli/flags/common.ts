/** Flags that several commands take, and what their texts stand for. */
import { callForks } from '../../forks.js';
import { UsageError } from '../exit/exit.js';
import { quote } from '../print/print.js';
import { parseAddress, parseSlot } from './claimValues.js';

/** @throws UsageError */
export function readWholeNumber(text: string, name: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${name} expected a whole number, got ${quote(text)}`);
}

/** @throws UsageError */
function readPort(text: string, name: string): number {
  const port = readWholeNumber(text, name);
  if (port <= 65_535) return port;
  throw new UsageError(`${name} expected a number up to 65535`);
}

/** @throws UsageError */
function readMetrics(text: string, name: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${name} expected a port, a number up to 65535`);
}

export const hashFlag = {
  group: 'source',
  argument: 'FAMILY',
  choices: ['poseidon2', 'mimc'],
  default: 'poseidon2',
  help: 'hash family of the state: poseidon2 or mimc',
} as const;

/** A store of a state; who takes it says more of it. */
export const store = {
  argument: 'DIR|URL',
  required: 'the folder of the store, or postgres://USER@HOST/DATABASE',
  help: 'folder of the LMDB store that takes the state, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD',
} as const;

/** Who takes it says what is asked of the node. */
export const l2 = { argument: 'URL', environment: 'L2PROOF_L2' } as const;

export const l1 = {
  argument: 'URL',
  many: true,
  environment: 'L2PROOF_L1',
  required: 'the URL of an L1 node',
  help: 'L1 endpoint; if there are several, all must agree',
} as const;

/** Flags that name a checkpoint, and servers that lead from it. */
export const consensusFlags = {
  checkpoint: {
    group: 'security',
    argument: 'HEX',
    help: "root of a block of L1 that you trust, 32 bytes, at most two weeks old: L1's consensus leads from it to the newest final block, and all is proven from that one. No endpoint is believed",
  },
  beacon: {
    group: 'security',
    argument: 'URL',
    many: true,
    environment: 'L2PROOF_BEACON',
    required: 'the URL of a beacon server',
    help: 'with --checkpoint: a beacon server, which needs no trust; if there are several, the newest answer that holds counts',
  },
} as const;

/** Who takes it says whose it is. */
export const addressFlag = { argument: 'ADDRESS', read: parseAddress } as const;

export const slot = {
  argument: 'SLOT',
  many: true,
  read: parseSlot,
  help: 'storage key: 4, 0x4, 32 bytes of hex, or mapping:KEY:SLOT, the entry of a mapping at SLOT, which may be one itself; once per key, in the order asked',
} as const;

/** Who takes it reads it by readRoot, which may open a file. */
export const root = { argument: 'HEX|FILE|-' } as const;

export const network = {
  argument: 'NAME|FILE',
  required: 'mainnet, sepolia, or a file that describes one',
  help: 'mainnet, sepolia, or a file with the members of a network as JSON; it decides the hash family, too',
} as const;

export const port = { argument: 'N', read: readPort } as const;

export const metrics = { group: 'output', argument: 'PORT', read: readMetrics } as const;

/** The rules that calls run by: those of the engine, which is loaded only if it is needed. */
export const callFork = { argument: 'FORK', choices: callForks } as const;

export const cors = {
  group: 'security',
  argument: 'ORIGIN',
  many: true,
  help: 'an origin whose pages may ask, like https://app.example; * for all',
} as const;

/** It has no effect any more. */
export const idleKeepState = { idle: true } as const;

export const maxBlocks = {
  group: 'limits',
  argument: 'N',
  default: '50000',
  read: readWholeNumber,
  help: 'most blocks that are walked, from each to the one before, to reach a block older than the 8,191 whose hashes the state holds',
} as const;

export const maxRange = {
  group: 'limits',
  argument: 'N',
  default: '1000',
  read: readWholeNumber,
  help: 'most blocks that are searched',
} as const;
