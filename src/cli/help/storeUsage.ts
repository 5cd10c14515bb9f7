/** How the commands are used that open a store. */
import { installLine } from '../../peer.js';
import { anchorPeers, callPeers, decoderPeers, watchPeers, webPeers } from '../exit/needs.js';

const storeLines = `Needs: ${installLine(['lmdb'])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}`;
const barLine = `and for the progress bar of a terminal: ${installLine(['cli-progress'])}`;
const metricsLine = `and --metrics: ${installLine(['prom-client'])}`;

export const loadUsage = `l2proof load --store DIR|URL [FILE|-] [--hash mimc]

  FILE        a state file: the genesis and any blocks after it, an object a line; or geth's genesis.json;
              - or nothing: standard input
  --store     folder of the LMDB store that takes the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD, which ps does not show; what it holds already is passed over
  --hash      hash family of the state: poseidon2 (default) or mimc

${storeLines}
${barLine}

Exit codes: 0 loaded, 1 another root than the file names, 2 malformed file, 3 usage or I/O, 4 the store does not answer,
is full or has another writer.`;

export const snapshotUsage = `l2proof snapshot export --store DIR|URL --out FILE|- [--block N] [--chain-id N] [--hash mimc]
l2proof snapshot verify [FILE|-] (--root HEX | --network NAME|FILE [--l1 URL ...] [--l1-block-hash HEX])
    [--block N] [--block-hash HEX] [--chain-id N] [--hash mimc]
l2proof snapshot import [FILE|-] --store DIR|URL ...   the rest as for verify
    or L2PROOF_L1 in the environment, in place of --l1

  export      writes the state after a block of a store into a file, also while the store is written to
  verify      reads a file, and checks that all of it is the state with the root that you trust
  import      the same, and writes the state into a store that holds none; follow goes on from there
  --store     folder of the LMDB store, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD, which ps
              does not show
  --out       the file to write, which replaces an older one; - for standard output
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

Needs, for export and import: ${installLine(['lmdb'])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}
and --network: ${installLine(anchorPeers)}
${barLine}

Exit codes: 0 done, 1 another state, block or chain than given; 2 malformed file, 3 usage or I/O, 4 could not find out
what L1 has, or the store does not answer, is full or has another writer.`;

export const migrateUsage = `l2proof migrate --store DIR [--keep-state]

  --store     folder of an LMDB store that an older release wrote. It is converted in place, and refused until that
              is done; after an interruption, run the same command again. Copy it before: the older release
              cannot read it any more
  --keep-state
              converts a store that version 0.1 wrote, too, and keeps its state as it is: right only if no block
              ever took an account's code away

Needs: ${installLine(['lmdb'])}
${barLine}

Exit codes: 0 converted, or of this format already; 3 usage, or a store that cannot be converted; 4 the store does not
answer, is full or has another writer.`;

export const followUsage = `l2proof follow --store DIR|URL --l2 URL (--fork FORK[@TIME][,...] [--genesis FILE] | --genesis genesis.json)
    [--genesis-root HEX] [--l1 URL --rollup ADDRESS] [--hash mimc] [--trace-timeout SECONDS] [--mints]
    [--metrics PORT] [--once]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1

  --store     folder of the LMDB store that takes the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD, which ps does not show
  --genesis   a state file or geth's genesis.json that an empty store begins with
  --genesis-root
              Merkle-Patricia root of the genesis; if not given, the L2 node is believed. A genesis with another
              root is refused, and nothing of it is kept
  --l2        an L2 node with debug_traceBlockByNumber; better in L2PROOF_L2, which ps does not show
  --fork      the chain's hard fork: london, paris, shanghai, cancun, prague, osaka or amsterdam; if several,
              each with the time in seconds from which it holds: shanghai@0,cancun@1700000000. If not given, the
              forks in the config of the genesis.json
  --l1        an L1 endpoint that is asked what is final; better in L2PROOF_L1
  --rollup    address of the rollup contract on L1, whose roots must be those of the store
  --hash      hash family of the state: poseidon2 (default) or mimc
  --trace-timeout
              seconds in which the L2 node must have traced a transaction, and have answered with a whole block (120)
  --mints     transactions of this chain make value, or its base fees are not burnt; if not given, a block whose
              traces show more value after a transaction than before is refused
  --metrics   port on 127.0.0.1 of Prometheus metrics, at /metrics: newest block, lag, final block, distrust
  --once      stop at the newest block; also stop, with exit code 4, if a node does not answer

${storeLines}
${metricsLine}
${barLine}

Exit codes: 0 caught up or stopped by a signal; 1 the state differs from what L1 or the L2 node has; 2 malformed
file or answer; 3 usage or I/O; 4 a node or the store does not answer, the store is full or has another writer.`;

export const serveUsage = `l2proof serve --store DIR|URL (--finality HEIGHT | --finality store | --l1 URL --rollup ADDRESS) [--hash mimc]
    [--alias NAME ...] [--chain-id N] [--decode NAME=URL ... and more as below, [--fork FORK]] [OPTION ...]
l2proof serve --decode NAME=URL ... [--decode-store DIR] [--token-list FILE ...] [--prices FILE|URL] [--abis DIR]
    [--wrapped-native NAME=ADDRESS ...] [--data NAME=DIR ...] [OPTION ...]
    each OPTION is one of [--host HOST] [--port N] [--key KEY ...] [--cors ORIGIN ...] [--log LEVEL] [--timeout MS]
    [--drain SECONDS] [--max-body BYTES] [--max-batch N] [--max-slots N] [--max-reads N] [--max-rate N]
    [--max-concurrent N] [--max-connections N] [--max-connections-per-address N] [--processes N]
    or L2PROOF_L1, L2PROOF_KEYS and L2PROOF_DECODE in the environment, in place of --l1, --key and --decode

  --store     folder of an LMDB store that holds the state, or postgres://USER@HOST/DATABASE with the password in
              PGPASSWORD; it is only read
  --finality  highest L2 block that is finalized on L1, if it stays the same; store: the newest one that the store's
              own follower has marked final
  --l1        L1 endpoint that says which block is final, with --rollup; better in L2PROOF_L1, which ps does not show
  --rollup    address of the rollup contract on L1
  --hash      hash family of the state: poseidon2 (default) or mimc
  --host      default 127.0.0.1; another needs keys
  --port      default 8645
  --key       an API key; better in L2PROOF_KEYS, separated by commas
  --alias     another name of the method, such as linea_getProof
  --chain-id  the answer to eth_chainId; wallet libraries ask for it first
  --cors      an origin whose pages may ask, like https://app.example; * for all
  --log       info, warn, error, silent; default info: a line per request
  --timeout   ms in which a request must come in and be answered, and a client must take some of its answer (10000)
  --drain     seconds that requests are still answered after SIGTERM, while /ready says 503 (5)
  --max-body  bytes of a request (65536)
  --max-batch calls of a batch (100)
  --max-slots storage keys of a call, or of a batch together (256)
  --max-reads reads of the store per proof (5000000)
  --max-rate  cost per second and key: 1 for a call and 1 for each of its storage keys (10000)
  --max-concurrent
              requests at once (256)
  --max-connections
              connections at once (1024)
  --max-connections-per-address
              connections at once of one address (no bound)
  --processes processes that share the port and the work (1); each has its part of the cost per second, of the
              connections and of the requests at once; one that dies is started again
  --decode    a chain whose transactions are decoded at /api/v1/tx/decode, and a node of it; once per chain; better in
              L2PROOF_DECODE, separated by commas. Without --store, no proofs are served
  --decode-store
              folder of an LMDB store that keeps what was decoded; created if it is not there
  --token-list
              a file in the token-list JSON format; the node is not asked about its tokens
  --prices    what tokens are worth: a file { "CHAIN": [{ "address", "usd" }] }, or the URL of a data interface,
              whose key is in L2PROOF_PRICES_KEY
  --abis      folder of JSON files with ABIs of your own; their events are decoded too. One of types that the ABI does not
              have is left out, and the log says so
  --wrapped-native
              a contract that wraps the native token of a chain of --decode, if the chain is not a public one: its
              deposits and withdrawals are amounts of a token; several times if several do
  --data      an index that l2proof index feeds, of a chain that is decoded: balances of wallets are answered at
              /v1/NAME/address/ADDRESS/balances_v2/; once per chain
  --fork      the hard fork of the chain of --store and --data: amounts are then worked out on the state of --store, and
              the node is asked for code alone

Needs: ${installLine([...webPeers, 'lmdb', ...watchPeers])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}
and --decode: ${installLine(decoderPeers)}
and --fork: ${installLine(callPeers)}

Exit codes: 0 ended by a signal, 3 usage, the store, a file, the port or a missing package, 4 the store does not
answer.`;

export const indexUsage = `l2proof index --store DIR --l2 URL [--metrics PORT] [--once]
    or L2PROOF_L2 in the environment, in place of --l2

  --store     folder of the LMDB store that takes the index; created if it is not there
  --l2        an L2 node that has the logs of all blocks; better in L2PROOF_L2, which ps does not show
  --metrics   port on 127.0.0.1 of Prometheus metrics of its progress, at /metrics
  --once      ends at the node's newest block

Notes which wallets may hold which tokens, for l2proof serve --data. Run again, it goes on from the last block.

Needs: ${installLine(['lmdb'])}
${metricsLine}
${barLine}

Exit codes: 0 caught up or stopped by a signal, 2 malformed answer, 3 usage, the store or another chain, 4 the node or
the store does not answer, the store is full or has another writer.`;
