/** How the commands are used that open no store. */
import { anchorPeers, callPeers, provingPeers, proxyPeers } from '../exit/needs.js';
import { balancesFlags, decodeFlags, fetchFlags, proxyFlags } from '../flags/askFlags.js';
import { compactFlags, linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import type { Page } from './page.js';

export const answerPages = {
  verify: {
    summary: 'Verifies a saved answer, or many, under a root that you trust',
    forms: [
      'verify [FILE|-] --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]',
      'verify --ndjson [FILE|-] [flags]',
    ],
    operands: {
      FILE: 'result of l2_getProof, the whole JSON-RPC answer, or a compact proof, as bytes or hex; also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: { ...verifyFlags, ...linesFlags },
    example: 'verify answer.json --root 0xROOT --address 0xADDRESS --slot 0xSLOT',
    needs: [[['piscina'], 'for --jobs above 1']],
    exits:
      '0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 could not find out: a thread of --jobs or the command itself failed, or a disk is full. Of many lines: 1 if any is not verified, else 2 if any is malformed.',
  },
  fetch: {
    summary: 'Asks for an account, and proves it from a root that L1 holds',
    forms: [
      'fetch --address ADDRESS [--slot SLOT ...] --l2 URL --l1 URL --network NAME|FILE [flags]',
    ],
    flags: fetchFlags,
    example: 'fetch --network mainnet --address 0xADDRESS --l2 URL --l1 URL',
    needs: [[anchorPeers]],
    exits:
      '0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage or a file; 4 could not find out: no endpoint answered, or none holds a block that L1 has finalized; or the disk is full.',
  },
  compact: {
    summary: 'Writes a saved answer as a compact proof',
    note: 'The answer is verified first.',
    forms: [
      'compact [FILE|-] --out FILE --root HEX|FILE --address ADDRESS [--slot SLOT ...] [flags]',
    ],
    operands: {
      FILE: 'result of l2_getProof, or the whole JSON-RPC answer, also with the headers that curl -i prints; - or nothing: standard input',
    },
    flags: compactFlags,
    example: 'compact answer.json --out proof.bin --root 0xROOT --address 0xADDRESS',
    needs: [],
    exits: '0 written, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 the disk is full.',
  },
  proxy: {
    summary: 'Answers wallets and tools with proven state, at a local URL',
    note: 'It takes JSON-RPC: balances, nonces, storage and code are proven, or refused. On a terminal it prints a line for each request.',
    forms: ['proxy --l2 URL --l1 URL --network NAME|FILE [flags]'],
    flags: proxyFlags,
    example: 'proxy --network mainnet --l2 URL --l1 URL --passthrough send',
    needs: [[proxyPeers], [callPeers, 'calls of contracts']],
    exits: '0 ended by a signal, 3 usage, a file or the port.',
  },
  decode: {
    summary: 'Shows what happened in a transaction',
    note: 'Who transferred, approved, swapped what. The node is believed: nothing is proven.',
    forms: ['decode TX --l2 URL [flags]'],
    operands: { TX: 'hash of the transaction, 32 bytes' },
    flags: decodeFlags,
    example: 'decode 0xHASH --l2 http://127.0.0.1:8545',
    needs: [[['viem']]],
    exits:
      '0 decoded, 2 malformed answer, 3 usage or a file, 4 could not find out: the node does not answer, or has no such transaction.',
  },
  balances: {
    summary: 'Shows what a wallet holds',
    note: "Without --prove the server is believed. With it, items that the server cannot prove are named on standard error and left out, and whether others are left out is not proven. Amounts are then written with proven decimals, or in smallest units; names and quotes are the server's. A list of more than 1,024 pages is cut.",
    forms: [
      'balances --address ADDRESS --url URL --chain NAME [flags]',
      'balances --address ADDRESS --url URL --chain NAME --prove --network NAME|FILE (--l1 URL | --root HEX|FILE --block N) [flags]',
    ],
    flags: balancesFlags,
    example: 'balances --address 0xADDRESS --chain linea-mainnet --url URL',
    needs: [[['zod']], [provingPeers, '--prove']],
    exits:
      '0 answered, 1 not verified, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not find out, or the list is cut.',
  },
} as const satisfies Record<string, Page>;
