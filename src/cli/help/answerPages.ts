/** How the commands are used that open no store. */
import { installLine } from '../../peer.js';
import { anchorPeers, callPeers, provingPeers, proxyPeers } from '../exit/needs.js';
import { balancesFlags, decodeFlags, fetchFlags, proxyFlags } from '../flags/askFlags.js';
import { compactFlags, linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import type { Page } from './page.js';

export const answerPages = {
  verify: {
    synopsis: `l2proof verify [FILE|-] --root HEX --address HEX [--slot HEX ...] [--hash mimc] [--json]
l2proof verify --ndjson [FILE|-] [--jobs N] [--json] [--shard K/N] [--out FILE]`,
    operands: `  FILE        result of l2_getProof, or the whole JSON-RPC answer, or a compact proof; - or nothing: standard input`,
    flags: { ...verifyFlags, ...linesFlags, json: verifyFlags.json },
    rest: `Needs, for --jobs above 1: ${installLine(['piscina'])}
and for the progress bar of --ndjson on a terminal: ${installLine(['cli-progress'])}

Exit codes: 0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 could not find out: a thread of --jobs
or the command itself failed, or a disk is full. Of many lines: 1 if any is not verified, else 2 if any is malformed.`,
  },
  compact: {
    synopsis: `l2proof compact [FILE|-] --out FILE --root HEX --address HEX [--slot HEX ...] [--hash mimc]`,
    operands: `  FILE        result of l2_getProof, or the whole JSON-RPC answer; - or nothing: standard input`,
    flags: { out: compactFlags.out },
    also: `  --root, --address, --slot, --hash
              as for l2proof verify: the answer is verified first`,
    rest: `Exit codes: 0 written, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 the disk is full.`,
  },
  fetch: {
    synopsis: `l2proof fetch --address HEX [--slot HEX ...] --l2 URL --l1 URL [--l1 URL ...]
    [--l1-block-hash HEX] --network NAME|FILE [--save FILE] [--json]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1`,
    flags: fetchFlags,
    rest: `Needs: ${installLine(anchorPeers)}

Exit codes: 0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage or a
file; 4 could not find out: no endpoint answered, or none holds a block that L1 has finalized; or
the disk is full.`,
  },
  decode: {
    synopsis: `l2proof decode TX --l2 URL [--chain NAME] [--abis DIR] [--wrapped-native ADDRESS ...] [--unknown] [--json]
    or L2PROOF_L2 in the environment, in place of --l2`,
    operands: `  TX          hash of the transaction, 32 bytes`,
    flags: decodeFlags,
    rest: `Shows what happened in a transaction: who transferred, approved, swapped what. The node is believed: nothing is proven.

Needs: ${installLine(['viem'])}

Exit codes: 0 decoded, 2 malformed answer, 3 usage or a file, 4 could not find out: the node does not answer, or has no
such transaction.`,
  },
  balances: {
    synopsis: `l2proof balances --address ADDRESS --url URL --chain NAME [--auth bearer] [--json]
    [--prove --network NAME|FILE (--l1 URL ... [--l1-block-hash HEX] | --root HEX --block N) [--fork FORK]]
    or L2PROOF_DATA and L2PROOF_L1 in the environment, in place of --url and --l1`,
    flags: balancesFlags,
    rest: `Shows what a wallet holds. Without --prove the server is believed. With it, items that the server cannot prove are named on
standard error and left out, and whether others are left out is not proven. Amounts are then written with proven decimals, or
in smallest units; names and quotes are the server's. A list of more than 1,024 pages is cut.

Needs: ${installLine(['zod'])}
and --prove: ${installLine(provingPeers)}

Exit codes: 0 answered, 1 not verified, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not
find out, or the list is cut.`,
  },
  proxy: {
    synopsis: `l2proof proxy --l2 URL --l1 URL [--l1 URL ...] --network NAME|FILE [--port N]
    [--passthrough NAME,...] [--cors ORIGIN ...] [--fork FORK]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1`,
    flags: proxyFlags,
    rest: `Answers JSON-RPC at http://127.0.0.1:8745, for wallets and tools that take a URL: balances, nonces, storage and code are
proven, or refused. On a terminal it prints a line for each request.

Needs: ${installLine(proxyPeers)}
and calls of contracts: ${installLine(callPeers)}

Exit codes: 0 ended by a signal, 3 usage, a file or the port.`,
  },
} as const satisfies Record<string, Page>;
