/** How the commands are used. */

export const verifyUsage = `l2proof verify [FILE|-] --root HEX --address HEX [--slot HEX ...] [--hash mimc] [--json]
l2proof verify --ndjson [FILE|-] [--jobs N] [--json]

  FILE        result of l2_getProof, or the whole JSON-RPC answer; - or nothing: standard input
  --root      trusted state root of the rollup, 32 bytes, as the rollup contract on L1 holds it
  --address   account asked for, 20 bytes
  --slot      storage key asked for, 32 bytes; once per key, in the order asked
  --hash      hash family of the root: poseidon2 (default) or mimc (before 1 April 2026)
  --json      print what was proven as JSON; numbers as decimal strings
  --ndjson    FILE holds { root, address, slots?, hash?, result } a line; prints a line for each, in order
  --jobs      threads that verify the lines; default 1; more need: npm install piscina@5.3.2

Exit codes: 0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O. Of many lines: 1 where any
is not verified, else 2 where any is malformed.`;

export const serveUsage = `l2proof serve --store DIR (--finality HEIGHT | --l1 URL --rollup ADDRESS) [--hash mimc]
    [--host HOST] [--port N] [--key KEY ...] [--alias NAME ...] [--cors ORIGIN ...] [--log LEVEL]
    [--max-body BYTES] [--max-slots N] [--max-reads N] [--max-rate N] [--max-concurrent N] [--timeout MS]

  --store     folder of an LMDB store that holds the state; it is only read
  --finality  highest L2 block that is finalized on L1, where it stays the same
  --l1        an L1 endpoint that is asked for it instead; better in L2PROOF_L1, which ps does not show
  --rollup    address of the rollup contract on L1
  --host      default 127.0.0.1; another needs keys
  --port      default 8645
  --key       an API key; better in L2PROOF_KEYS, separated by commas
  --alias     another name of the method, such as linea_getProof
  --cors      an origin whose pages may ask; * for all
  --log       info, warn, error, silent; default info: a line per request
  --max-...   bytes of a body (65536), storage keys per call (256), reads of the store per proof (5000000),
              requests per second and key (1000), proofs at once (256); --timeout: ms per request (10000)`;

export const loadUsage = `l2proof load --store DIR [FILE|-] [--hash mimc]

  FILE        a state file: the genesis and any blocks after it, an object a line; - or nothing: standard input
  --store     folder of the LMDB store that takes the state; what it holds already is passed over
  --hash      hash family of the state: poseidon2 (default) or mimc

Exit codes: 0 loaded, 1 another root than the file names, 2 malformed file, 3 usage or I/O.`;

export const followUsage = `l2proof follow --store DIR --l2 URL --fork FORK[@TIME][,...] [--genesis FILE]
    [--l1 URL --rollup ADDRESS] [--hash mimc] [--once]

  --store     folder of the LMDB store that takes the state
  --genesis   a state file that an empty store begins with
  --l2        an L2 node with debug_traceBlockByNumber; better in L2PROOF_L2, which ps does not show
  --fork      the chain's hard fork: london, paris, shanghai, cancun, prague or osaka; of several, each with the
              time in seconds from which it holds: shanghai@0,cancun@1700000000
  --l1        an L1 endpoint that is asked what is final; better in L2PROOF_L1
  --rollup    address of the rollup contract on L1, whose roots must be those of the store
  --hash      hash family of the state: poseidon2 (default) or mimc
  --once      end at the newest block instead of waiting for the next one

Exit codes: 0 there, or ended by a signal; 1 another root than L1 has; 2 malformed file or answer; 3 usage or I/O.`;

/** Said where any of them is missing. */
export const storeNeeds =
  'a store needs more packages; run: npm install lmdb@3.5.6 sorted-btree@2.1.0';

/** Said where any of them is missing: whoever misses one misses most. */
export const serveNeeds =
  'serving needs more packages; run: npm install hono@4.13.19 @hono/node-server@2.1.8 lmdb@3.5.6 pino@10.4.0 prom-client@15.1.3 sorted-btree@2.1.0';
