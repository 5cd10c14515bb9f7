/** How the commands are used. */
import { installLine } from '../peer.js';

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
  --jobs      threads that verify the lines; default 1; more need: ${installLine(['piscina'])}
  --shard     verifies part K of N of the lines of FILE, such as 3/16; the results of all parts, one behind the
              other, are those of the whole FILE
  --out       writes the results to a file, which is there once they are whole; after a kill, the same command
              goes on behind the last result

Exit codes: 0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O, 4 could not find out. Of many lines:
1 if any is not verified, else 2 if any is malformed.`;

export const fetchUsage = `l2proof fetch --address HEX [--slot HEX ...] --l2 URL --l1 URL [--l1 URL ...]
    [--l1-block-hash HEX] --network NAME|FILE [--save FILE] [--json]

  --address   account to read, 20 bytes
  --slot      storage key to read, 32 bytes; once per key
  --l2        endpoint that answers proofs; better in L2PROOF_L2, which ps does not show
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --l1-block-hash
              hash of an L1 block that you trust, 32 bytes, for example from a light client: all is then proven
              from it, and no endpoint is believed
  --network   mainnet, sepolia, or a file with the members of a network as JSON
  --save      writes the answer and what was verified as a vector file
  --json      print anchor and state as JSON; numbers as decimal strings

Needs: ${installLine(['@ethereumjs/rlp'])}

Exit codes: 0 verified, 1 something did not verify, or the L1 endpoints disagree; 2 an answer was malformed; 3 usage or a
file; 4 could not find out: no endpoint answered, or none holds a block that L1 has finalized.`;

export const decodeUsage = `l2proof decode TX --l2 URL [--chain NAME] [--abis DIR] [--unknown] [--json]

  TX          hash of the transaction, 32 bytes
  --l2        a node of the chain; better in L2PROOF_L2, which ps does not show
  --chain     name of the chain; a node of another chain is refused under linea-mainnet and linea-sepolia-testnet
  --abis      folder of JSON files with ABIs of your own; their events are decoded too
  --unknown   show logs that are not known, too
  --json      print the response as a decoder endpoint would answer it

Shows what happened in a transaction: who transferred, approved, swapped what. The node is believed: nothing is proven.

Needs: ${installLine(['viem'])}

Exit codes: 0 decoded, 2 malformed answer, 3 usage or a file, 4 could not find out: the node does not answer, or has no
such transaction.`;

export const indexUsage = `l2proof index --store DIR --l2 URL [--metrics PORT] [--once]

  --store     folder of the LMDB store that takes the index; created if it is not there
  --l2        an L2 node that has the logs of all blocks; better in L2PROOF_L2, which ps does not show
  --metrics   port on 127.0.0.1 of Prometheus metrics of its progress, at /metrics
  --once      ends at the node's newest block

Notes which wallets may hold which tokens, for l2proof serve --data. Run again, it goes on from the last block.

Exit codes: 0 caught up or stopped by a signal, 2 malformed answer, 3 usage, the store or another chain, 4 the node does
not answer.`;

export const balancesUsage = `l2proof balances --address ADDRESS --url URL --chain NAME [--auth bearer] [--json]
    [--prove --network NAME|FILE (--l1 URL ... [--l1-block-hash HEX] | --root HEX --block N) [--fork FORK]]

  --address   the wallet
  --url       a data interface, such as that of l2proof serve --data; better in L2PROOF_DATA, which ps does not show
  --chain     name of the chain
  --auth      how the key in L2PROOF_DATA_KEY is sent: basic (default) or bearer
  --json      print the items as the server words them, one a line
  --prove     verify each amount under a root that L1 holds, or that you trust; the service needs a state of its own
  --network   mainnet, sepolia, or a file with the members of a network as JSON
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --l1-block-hash
              an L1 block hash that you trust; L1 endpoints then need no trust
  --root, --block
              a state root that you trust, and the L2 block that it is of, in place of L1
  --fork      the chain's hard fork, such as prague; default the newest one that is known here

Shows what a wallet holds. Without --prove the server is believed. With it, items that the server cannot prove are named on
standard error and left out, and whether others are left out is not proven.

Needs: ${installLine(['zod'])}
and --prove: ${installLine(['@ethereumjs/rlp', '@ethereumjs/common', '@ethereumjs/evm', '@ethereumjs/util'])}

Exit codes: 0 answered, 1 not verified, 2 malformed answer, 3 usage, or the server refuses the key or the question, 4 could not
find out.`;

export const compactUsage = `l2proof compact [FILE|-] --out FILE --root HEX --address HEX [--slot HEX ...] [--hash mimc]

  FILE        result of l2_getProof, or the whole JSON-RPC answer; - or nothing: standard input
  --out       file that the compact proof is written to; l2proof verify reads it, with the same options as here
  --root, --address, --slot, --hash
              as for l2proof verify: the answer is verified first

Exit codes: 0 written, 1 not verified, 2 malformed answer, 3 usage or I/O.`;

export const proxyUsage = `l2proof proxy --l2 URL --l1 URL [--l1 URL ...] --network NAME|FILE [--port N]
    [--passthrough NAME,...] [--cors ORIGIN ...]

  --l2        L2 endpoint, which needs no trust; better in L2PROOF_L2, which ps does not show
  --l1        L1 endpoint; if several are given, separated by commas in L2PROOF_L1, all must agree
  --network   mainnet, sepolia, or a file with the members of a network as JSON
  --port      port on 127.0.0.1; default 8745
  --passthrough
              methods that are let through unproven; send: what sending a transaction needs
  --cors      an origin whose pages may ask, like https://app.example; * for all

Answers JSON-RPC at http://127.0.0.1:8745, for wallets and tools that take a URL: balances, nonces, storage and code are
proven, or refused. On a terminal it prints a line for each request.

Needs: ${installLine(['@ethereumjs/rlp', 'hono', '@hono/node-server'])}
and calls of contracts: ${installLine(['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'])}

Exit codes: 0 ended by a signal, 3 usage, a file or the port.`;

export const serveUsage = `l2proof serve --store DIR|URL (--finality HEIGHT | --finality store | --l1 URL --rollup ADDRESS)
    [--hash mimc] [--host HOST] [--port N] [--key KEY ...] [--alias NAME ...] [--chain-id N] [--cors ORIGIN ...]
    [--log LEVEL] [--timeout MS] [--drain SECONDS] [--max-body BYTES] [--max-batch N] [--max-slots N] [--max-reads N]
    [--max-rate N] [--max-concurrent N] [--max-connections N] [--max-connections-per-address N]
    [--processes N] [--keep-state] [--decode NAME=URL ...] [--decode-store DIR] [--token-list FILE ...]
    [--prices FILE|URL] [--abis DIR] [--data NAME=DIR ... [--fork FORK]]
l2proof serve --decode NAME=URL ...

  --store     folder of an LMDB store that holds the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD; it is only read
  --finality  highest L2 block that is finalized on L1, if it stays the same; store: the newest one that the store's
              own follower has marked final
  --l1        an L1 endpoint that is asked for it instead; better in L2PROOF_L1, which ps does not show
  --rollup    address of the rollup contract on L1
  --host      default 127.0.0.1; another needs keys
  --port      default 8645
  --key       an API key; better in L2PROOF_KEYS, separated by commas
  --alias     another name of the method, such as linea_getProof
  --chain-id  the answer to eth_chainId; wallet libraries ask for it first
  --cors      an origin whose pages may ask, like https://app.example; * for all
  --log       info, warn, error, silent; default info: a line per request
  --timeout   ms in which a request must come in and be answered, and a client must take some of its answer (10000)
  --drain     seconds that requests are still answered after SIGTERM, while /ready says 503 (5)
  --max-...   bytes of a body (65536); calls of a batch (100); storage keys of a call, or of a batch together (256);
              reads of the store per proof (5000000); cost per second and key: 1 for a call and 1 for each of its
              storage keys (10000); requests at once (256); connections (1024), and of them per address (no bound)
  --processes processes that share the port and the work (1); each has its part of the cost per second, of the
              connections and of the requests at once; one that dies is started again
  --keep-state
              accepted as before, without effect: l2proof migrate takes it now
  --decode    a chain whose transactions are decoded at /api/v1/tx/decode, and a node of it; once per chain; better in
              L2PROOF_DECODE, separated by commas. Without --store, no proofs are served
  --decode-store
              folder of an LMDB store that keeps what was decoded; created if it is not there
  --token-list
              a file in the token-list JSON format; the node is not asked about its tokens
  --prices    what tokens are worth: a file { "CHAIN": [{ "address", "usd" }] }, or the URL of a data interface,
              whose key is in L2PROOF_PRICES_KEY
  --abis      folder of JSON files with ABIs of your own; their events are decoded too
  --data      an index that l2proof index feeds, of a chain that is decoded: balances of wallets are answered at
              /v1/NAME/address/ADDRESS/balances_v2/; once per chain
  --fork      the hard fork of the chain of --store and --data: amounts are then worked out on the state of --store, and
              the node is asked for code alone`;

export const loadUsage = `l2proof load --store DIR|URL [FILE|-] [--hash mimc] [--keep-state]

  FILE        a state file: the genesis and any blocks after it, an object a line; or geth's genesis.json;
              - or nothing: standard input
  --store     folder of the LMDB store that takes the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD, which ps does not show; what it holds already is passed over
  --hash      hash family of the state: poseidon2 (default) or mimc
  --keep-state
              accepted as before, without effect: l2proof migrate takes it now

Exit codes: 0 loaded, 1 another root than the file names, 2 malformed file, 3 usage or I/O.`;

export const snapshotUsage = `l2proof snapshot export --store DIR|URL --out FILE|- [--block N] [--chain-id N] [--hash mimc]
l2proof snapshot verify [FILE|-] (--root HEX | --network NAME|FILE [--l1 URL ...] [--l1-block-hash HEX])
    [--block N] [--block-hash HEX] [--chain-id N] [--hash mimc]
l2proof snapshot import [FILE|-] --store DIR|URL ...   the rest as for verify

  export      writes the state after a block of a store into a file, also while the store is written to
  verify      reads a file, and checks that all of it is the state with the root that you trust
  import      the same, and writes the state into a store that holds none; follow goes on from there
  --store     folder of the LMDB store, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD, which ps
              does not show
  --out       the file to write; - for standard output
  --root      state root that you trust, 32 bytes
  --network   mainnet, sepolia, or a file with the members of a network as JSON: L1 is asked for the root of the
              file's block, which proves its number, too
  --l1        L1 endpoint; if several, separated by commas in L2PROOF_L1, all must agree
  --l1-block-hash
              hash of an L1 block that you trust, 32 bytes: the root is then proven from it
  --block     export: a block that the store holds; if not given, the newest final one, or the newest if none is
              final. Else the block that the file must name
  --block-hash
              hash of the block that the file must name
  --chain-id  export: id of the L2 chain, written into the file. Else the one that the file must name
  --hash      hash family of the state: poseidon2 (default) or mimc

Values that you do not pass are shown as the file claims them.

Exit codes: 0 done, 1 another state, block or chain than given; 2 malformed file, 3 usage or I/O, 4 could not find out
what L1 has.`;

export const migrateUsage = `l2proof migrate --store DIR [--keep-state]

  --store     folder of an LMDB store that an older release wrote. It is converted in place, and refused until that
              is done; after an interruption, run the same command again. Copy it before: the older release
              cannot read it any more
  --keep-state
              converts a store that version 0.1 wrote, too, and keeps its state as it is: right only if no block
              ever took an account's code away

Exit codes: 0 converted, or of this format already; 3 usage, or a store that cannot be converted.`;

export const followUsage = `l2proof follow --store DIR|URL --l2 URL [--fork FORK[@TIME][,...]] [--genesis FILE]
    [--genesis-root HEX] [--l1 URL --rollup ADDRESS] [--hash mimc] [--metrics PORT] [--once] [--keep-state]

  --store     folder of the LMDB store that takes the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD, which ps does not show
  --genesis   a state file or geth's genesis.json that an empty store begins with
  --genesis-root  Merkle-Patricia root of the genesis; if not given, the L2 node is believed. A genesis with
              another root is refused, and nothing of it is kept
  --l2        an L2 node with debug_traceBlockByNumber; better in L2PROOF_L2, which ps does not show
  --fork      the chain's hard fork: london, paris, shanghai, cancun, prague or osaka; if several, each with the
              time in seconds from which it holds: shanghai@0,cancun@1700000000. If not given, the forks in the
              config of the genesis.json
  --l1        an L1 endpoint that is asked what is final; better in L2PROOF_L1
  --rollup    address of the rollup contract on L1, whose roots must be those of the store
  --hash      hash family of the state: poseidon2 (default) or mimc
  --metrics   port on 127.0.0.1 of Prometheus metrics, at /metrics: newest block, lag, final block, distrust
  --once      end at the newest block instead of waiting for the next one, and if a node does not answer
  --keep-state
              accepted as before, without effect: l2proof migrate takes it now

Exit codes: 0 caught up or stopped by a signal; 1 the state differs from what L1 or the L2 node has; 2 malformed
file or answer; 3 usage or I/O; 4 a node does not answer.`;

export const mainUsage = `l2proof help [COMMAND]
l2proof --version`;
