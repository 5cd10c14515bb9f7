/** The flags of the commands that ask servers, and store nothing. */
import {
  addressFlag,
  callFork,
  consensusFlags,
  cors,
  l1,
  l2,
  maxBlocks,
  maxRange,
  network,
  port,
  root,
  slot,
} from './common.js';
import type { Flags } from './flag.js';

const l1BlockHash = { group: 'security', argument: 'HEX' } as const;

export const fetchFlags = {
  address: { ...addressFlag, required: 'the account to read', help: 'account to read, 20 bytes' },
  slot,
  l2: { ...l2, required: 'the URL that answers proofs', help: 'endpoint that answers proofs' },
  l1,
  'l1-block-hash': {
    ...l1BlockHash,
    help: 'hash of an L1 block that you trust, 32 bytes, such as one that you saw final: all is then proven from it, and no endpoint is believed',
  },
  ...consensusFlags,
  network,
  save: {
    group: 'output',
    argument: 'FILE',
    help: 'writes a JSON file with the root, or the header of the block and its hash, the answer and what was verified: a vector file, which l2proof verify reads, and which tests other verifiers',
  },
  json: { group: 'output', help: 'print anchor and state as JSON; numbers as decimal strings' },
} as const satisfies Flags;

/** Flags of `balances` that need `--prove`. */
export const proveFlags = {
  network: { ...network, group: 'source' },
  l1: { ...l1, group: 'source' },
  l2: {
    ...l2,
    group: 'source',
    help: 'a node of the L2, for the header of the block once L1 holds block hashes; it needs no trust',
  },
  'l1-block-hash': {
    ...l1BlockHash,
    help: 'an L1 block hash that you trust; L1 endpoints then need no trust',
  },
  ...consensusFlags,
  root: {
    ...root,
    group: 'source',
    help: 'with --block: a state root that you trust, or a file that holds it, in place of L1',
  },
  block: { argument: 'N', group: 'source', help: 'the L2 block that --root is of' },
  fork: {
    ...callFork,
    group: 'source',
    help: "the chain's hard fork, such as prague, if L1 does not say the block's time; default the newest one that had begun by the L1 block, or that is known here: a line on standard error then says so",
  },
} as const satisfies Flags;

export const proxyFlags = {
  l2: { ...l2, required: 'the URL that answers proofs', help: 'L2 endpoint, which needs no trust' },
  node: {
    group: 'source',
    argument: 'URL',
    environment: 'L2PROOF_NODE',
    help: 'a node of the L2 for all but proofs: code, what sending needs, and what --passthrough names. It needs no trust; default --l2',
  },
  l1,
  network,
  port: { ...port, default: '8745', help: 'port on 127.0.0.1' },
  passthrough: {
    group: 'security',
    argument: 'NAME,...',
    many: true,
    help: 'methods that are let through unproven. send stands for what sending a transaction needs: eth_getTransactionCount and eth_estimateGas at pending, eth_feeHistory, eth_gasPrice, eth_maxPriorityFeePerGas, eth_getBlockByNumber, eth_getTransactionByHash, eth_getTransactionReceipt. Of blocks and what stands in them only what is not proven is let through: the newest',
  },
  current: {
    group: 'security',
    argument: 'BLOCK',
    choices: ['newest', 'whole'],
    default: 'newest',
    help: 'what latest means: newest, the last block that L1 has finalized, whose header is not proven yet; or whole, the end of the finalization before, of which everything is proven. For whole --l2 must hold the states of both',
  },
  'max-range': {
    ...maxRange,
    help: 'most blocks in one search for logs, and in one answer of a filter',
  },
  'max-blocks': maxBlocks,
  ...consensusFlags,
  cors,
  fork: {
    ...callFork,
    group: 'source',
    help: 'the rules that calls run by in blocks whose time L1 does not say, such as prague; default the newest fork of the network',
  },
} as const satisfies Flags;
