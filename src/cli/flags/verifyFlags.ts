/** The flags of the commands that verify answers that were saved. */
import { UsageError } from '../exit/exit.js';
import { quote } from '../print/print.js';
import { addressFlag, hashFlag, root, slot } from './common.js';
import type { Flags } from './flag.js';

const claimFlags = {
  root: {
    ...root,
    alias: 'state-root',
    required: 'the state root that the rollup contract on L1 holds',
    help: 'trusted state root, 32 bytes, as the rollup contract on L1 holds it, or a file that holds it; --state-root is another name',
  },
  address: {
    ...addressFlag,
    required: 'the account that was asked for',
    help: 'account asked for, 20 bytes; the case of its letters is checked unless all are of one',
  },
  slot,
  hash: { ...hashFlag, help: 'hash family of the root: poseidon2, or mimc before 1 April 2026' },
} as const satisfies Flags;

const json = {
  group: 'output',
  help: 'print what was proven as JSON; numbers as decimal strings',
} as const;

export const verifyFlags = {
  ...claimFlags,
  'block-hash': {
    argument: 'HEX',
    group: 'source',
    help: 'in place of --root: hash of an L2 block that you trust, as the contract on L1 holds it once it stores block hashes. FILE is then what fetch --save wrote: an answer to eth_getProof, and the header of the block',
  },
  json,
} as const satisfies Flags;

export const explainFlags = {
  ...claimFlags,
  json: {
    group: 'output',
    help: 'print the explanation as JSON: numbers as decimal strings, no level folded',
  },
} as const satisfies Flags;

/** @throws UsageError */
function readJobs(text: string, name: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new UsageError(`${name} expected a whole number from 1 to 9999, got ${quote(text)}`);
}

/** Of `verify --ndjson`. */
export const linesFlags = {
  ndjson: {
    group: 'source',
    help: 'FILE holds { stateRoot, address, storageKeys?, hash?, result } a line; prints a line for each, in order, but not for blank ones. A result that is text is a compact proof as base64',
  },
  shard: {
    argument: 'K/N',
    group: 'source',
    help: 'part K of N of the lines of --ndjson, such as 3/16; N is 9999 at most. The results of all parts, one behind the other, are those of the whole FILE',
  },
  jobs: {
    argument: 'N',
    read: readJobs,
    default: '1',
    group: 'limits',
    help: 'threads that verify the lines of --ndjson, 1 to 9999',
  },
  json,
  out: {
    argument: 'FILE',
    group: 'output',
    help: 'file for the results of --ndjson, which is there once they are whole, and replaces an older one; after a kill, the same command goes on behind the last result',
  },
} as const satisfies Flags;

export const compactFlags = {
  out: {
    argument: 'FILE',
    required: 'the file to write the proof to',
    help: 'file that the compact proof is written to; l2proof verify reads it, with the flags below',
  },
  ...claimFlags,
} as const satisfies Flags;
