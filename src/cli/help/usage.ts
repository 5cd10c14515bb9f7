/** How the commands are used. */
import { installLine } from '../../peer.js';
import { anchorPeers, callPeers, provingPeers, proxyPeers } from '../exit/needs.js';

export * from './storeUsage.js';

export const verifyUsage = `l2proof verify [FILE|-] --root HEX --address HEX [--slot HEX ...] [--hash mimc] [--json]
l2proof verify --ndjson [FILE|-] [--jobs N] [--json] [--shard K/N] [--out FILE]

  FILE        result of l2_getProof, or the whole JSON-RPC answer, or a compact proof; - or nothing: standard input
  --root      (or --state-root) trusted state root of the rollup, 32 bytes, as the rollup contract on L1 holds it
  --address   account asked for, 20 bytes
  --slot      storage key asked for, 32 bytes; once per key, in the order asked
  --hash      hash family of the root: poseidon2 (default) or mimc (before 1 April 2026)
  --json      print what was proven as JSON; numbers as decimal strings
  --ndjson    FILE holds { stateRoot, address, storageKeys?, hash?, result } a line; prints a line for each, in
              order, but not for blank ones. A result that is text is a compact proof as base64
  --jobs      threads that verify the lines, 1 to 9999; default 1
  --shard     verifies part K of N of the lines of FILE, such as 3/16; N is 9999 at most. The results of all parts,
              one behind the other, are those of the whole FILE
  --out       writes the results to a file, which is there once they are whole, and replaces an older one; after a
              kill, the same command goes on behind the last result

Needs, for --jobs above 1: ${installLine(['piscina'])}
and for the progress bar of --ndjson on a terminal: ${installLine(['cli-progress'])}

Exit codes: 0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 could not find out: a thread of --jobs
or the command itself failed, or a disk is full. Of many lines: 1 if any is not verified, else 2 if any is malformed.`;

export const fetchUsage = `l2proof fetch --address HEX [--slot HEX ...] --l2 URL --l1 URL [--l1 URL ...]
    [--l1-block-hash HEX] --network NAME|FILE [--save FILE] [--json]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1

  --address   account to read, 20 bytes
  --slot      storage key to read, 32 bytes; once per key
  --l2        endpoint that answers proofs; better in L2PROOF_L2, which ps does not show
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --l1-block-hash
              hash of an L1 block that you trust, 32 bytes, for example from a light client: all is then proven
              from it, and no endpoint is believed
  --network   mainnet, sepolia, or a file with the members of a network as JSON; it decides the hash family, too
  --save      writes a JSON file with the root, the answer and what was verified: a vector file, which tests other
              verifiers
  --json      print anchor and state as JSON; numbers as decimal strings

Needs: ${installLine(anchorPeers)}

Exit codes: 0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage or a
file; 4 could not find out: no endpoint answered, or none holds a block that L1 has finalized; or
the disk is full.`;

export const decodeUsage = `l2proof decode TX --l2 URL [--chain NAME] [--abis DIR] [--wrapped-native ADDRESS ...] [--unknown] [--json]
    or L2PROOF_L2 in the environment, in place of --l2

  TX          hash of the transaction, 32 bytes
  --l2        a node of the chain; better in L2PROOF_L2, which ps does not show
  --chain     name of the chain; a node of another chain is refused under linea-mainnet and linea-sepolia-testnet
  --abis      folder of JSON files with ABIs of your own; their events are decoded too
  --wrapped-native
              a contract that wraps the chain's native token, if the chain is not a public one; several times if several do
  --unknown   show logs that are not known, too
  --json      print the response as a decoder endpoint would answer it

Shows what happened in a transaction: who transferred, approved, swapped what. The node is believed: nothing is proven.

Needs: ${installLine(['viem'])}

Exit codes: 0 decoded, 2 malformed answer, 3 usage or a file, 4 could not find out: the node does not answer, or has no
such transaction.`;

export const balancesUsage = `l2proof balances --address ADDRESS --url URL --chain NAME [--auth bearer] [--json]
    [--prove --network NAME|FILE (--l1 URL ... [--l1-block-hash HEX] | --root HEX --block N) [--fork FORK]]
    or L2PROOF_DATA and L2PROOF_L1 in the environment, in place of --url and --l1

  --address   the wallet
  --url       a data interface, such as that of l2proof serve --data; better in L2PROOF_DATA, which ps does not show
  --chain     name of the chain
  --auth      how the key in L2PROOF_DATA_KEY is sent: basic (default) or bearer
  --json      print the items, one a line, as the server words them; with --prove, amounts, tokens and decimals are
              proven, decimals that are not are null, and members that the library does not know are left out
  --prove     verify each amount under a root that L1 holds, or that you trust; the service needs a state of its own
  --network   mainnet, sepolia, or a file with the members of a network as JSON; it decides the hash family, too
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --l1-block-hash
              an L1 block hash that you trust; L1 endpoints then need no trust
  --root, --block
              a state root that you trust, and the L2 block that it is of, in place of L1
  --fork      the chain's hard fork, such as prague, if L1 does not say the block's time; default the newest one that
              had begun by the L1 block, or that is known here: a line on standard error then says so

Shows what a wallet holds. Without --prove the server is believed. With it, items that the server cannot prove are named on
standard error and left out, and whether others are left out is not proven. Amounts are then written with proven decimals, or
in smallest units; names and quotes are the server's. A list of more than 1,024 pages is cut.

Needs: ${installLine(['zod'])}
and --prove: ${installLine(provingPeers)}

Exit codes: 0 answered, 1 not verified, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not
find out, or the list is cut.`;

export const compactUsage = `l2proof compact [FILE|-] --out FILE --root HEX --address HEX [--slot HEX ...] [--hash mimc]

  FILE        result of l2_getProof, or the whole JSON-RPC answer; - or nothing: standard input
  --out       file that the compact proof is written to; l2proof verify reads it, with the same options as here
  --root, --address, --slot, --hash
              as for l2proof verify: the answer is verified first

Exit codes: 0 written, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 the disk is full.`;

export const proxyUsage = `l2proof proxy --l2 URL --l1 URL [--l1 URL ...] --network NAME|FILE [--port N]
    [--passthrough NAME,...] [--cors ORIGIN ...] [--fork FORK]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1

  --l2        L2 endpoint, which needs no trust; better in L2PROOF_L2, which ps does not show
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --network   mainnet, sepolia, or a file with the members of a network as JSON; it decides the hash family, too
  --port      port on 127.0.0.1; default 8745
  --passthrough
              methods that are let through unproven. send stands for what sending a transaction needs:
              eth_getTransactionCount at pending, eth_getBlockByNumber at latest and pending, eth_feeHistory,
              eth_gasPrice, eth_maxPriorityFeePerGas, eth_getTransactionByHash, eth_getTransactionReceipt
  --cors      an origin whose pages may ask, like https://app.example; * for all
  --fork      the rules that calls run by in blocks whose time L1 does not say, such as prague; default the newest
              fork of the network

Answers JSON-RPC at http://127.0.0.1:8745, for wallets and tools that take a URL: balances, nonces, storage and code are
proven, or refused. On a terminal it prints a line for each request.

Needs: ${installLine(proxyPeers)}
and calls of contracts: ${installLine(callPeers)}

Exit codes: 0 ended by a signal, 3 usage, a file or the port.`;

export const mainUsage = `l2proof help [COMMAND]
l2proof --version`;
