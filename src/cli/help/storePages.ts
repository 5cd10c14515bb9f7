/** How the commands are used that open a store. */
import { installLine } from '../../peer.js';
import { anchorPeers, callPeers, decoderPeers, watchPeers, webPeers } from '../exit/needs.js';
import {
  checkFlags,
  exportFlags,
  followFlags,
  indexFlags,
  loadFlags,
  migrateFlags,
} from '../flags/feedFlags.js';
import { serveFlags } from '../flags/serveFlags.js';
import type { Page } from './page.js';

const storeLines = `Needs: ${installLine(['lmdb'])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}`;
const barLine = `and for the progress bar of a terminal: ${installLine(['cli-progress'])}`;
const metricsLine = `and --metrics: ${installLine(['prom-client'])}`;

export const storePages = {
  load: {
    synopsis: `l2proof load --store DIR|URL [FILE|-] [--hash mimc]`,
    operands: `  FILE        a state file: the genesis and any blocks after it, an object a line; or geth's genesis.json;
              - or nothing: standard input`,
    flags: loadFlags,
    rest: `${storeLines}
${barLine}

Exit codes: 0 loaded, 1 another root than the file names, 2 malformed file, 3 usage or I/O, 4 the store does not answer,
is full or has another writer.`,
  },
  snapshot: {
    synopsis: `l2proof snapshot export --store DIR|URL --out FILE|- [--block N] [--chain-id N] [--hash mimc]
l2proof snapshot verify [FILE|-] (--root HEX | --network NAME|FILE [--l1 URL ...] [--l1-block-hash HEX])
    [--block N] [--block-hash HEX] [--chain-id N] [--hash mimc]
l2proof snapshot import [FILE|-] --store DIR|URL ...   the rest as for verify
    or L2PROOF_L1 in the environment, in place of --l1`,
    operands: `  export      writes the state after a block of a store into a file, also while the store is written to
  verify      reads a file, and checks that all of it is the state with the root that you trust
  import      the same, and writes the state into a store that holds none; follow goes on from there`,
    flags: { store: exportFlags.store, out: exportFlags.out, ...checkFlags },
    rest: `Values that you do not pass are shown as the file claims them.

Needs, for export and import: ${installLine(['lmdb'])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}
and --network: ${installLine(anchorPeers)}
${barLine}

Exit codes: 0 done, 1 another state, block or chain than given; 2 malformed file, 3 usage or I/O, 4 could not find out
what L1 has, or the store does not answer, is full or has another writer.`,
  },
  migrate: {
    synopsis: `l2proof migrate --store DIR [--keep-state]`,
    flags: migrateFlags,
    rest: `Needs: ${installLine(['lmdb'])}
${barLine}

Exit codes: 0 converted, or of this format already; 3 usage, or a store that cannot be converted; 4 the store does not
answer, is full or has another writer.`,
  },
  follow: {
    synopsis: `l2proof follow --store DIR|URL --l2 URL (--fork FORK[@TIME][,...] [--genesis FILE] | --genesis genesis.json)
    [--genesis-root HEX] [--l1 URL --rollup ADDRESS] [--hash mimc] [--trace-timeout SECONDS] [--mints]
    [--metrics PORT] [--once]
    or L2PROOF_L2 and L2PROOF_L1 in the environment, in place of --l2 and --l1`,
    flags: followFlags,
    rest: `${storeLines}
${metricsLine}
${barLine}

Exit codes: 0 caught up or stopped by a signal; 1 the state differs from what L1 or the L2 node has; 2 malformed
file or answer; 3 usage or I/O; 4 a node or the store does not answer, the store is full or has another writer.`,
  },
  serve: {
    synopsis: `l2proof serve --store DIR|URL (--finality HEIGHT | --finality store | --l1 URL --rollup ADDRESS) [--hash mimc]
    [--alias NAME ...] [--chain-id N] [--decode NAME=URL ... and more as below, [--fork FORK]] [OPTION ...]
l2proof serve --decode NAME=URL ... [--decode-store DIR] [--token-list FILE ...] [--prices FILE|URL] [--abis DIR]
    [--wrapped-native NAME=ADDRESS ...] [--data NAME=DIR ...] [OPTION ...]
    each OPTION is one of [--host HOST] [--port N] [--key KEY ...] [--cors ORIGIN ...] [--log LEVEL] [--timeout MS]
    [--drain SECONDS] [--max-body BYTES] [--max-batch N] [--max-slots N] [--max-reads N] [--max-rate N]
    [--max-concurrent N] [--max-connections N] [--max-connections-per-address N] [--processes N]
    or L2PROOF_L1, L2PROOF_KEYS and L2PROOF_DECODE in the environment, in place of --l1, --key and --decode`,
    flags: serveFlags,
    rest: `Needs: ${installLine([...webPeers, 'lmdb', ...watchPeers])}
and for PostgreSQL, in place of lmdb: ${installLine(['pg'])}
and --decode: ${installLine(decoderPeers)}
and --fork: ${installLine(callPeers)}

Exit codes: 0 ended by a signal, 3 usage, the store, a file, the port or a missing package, 4 the store does not
answer.`,
  },
  index: {
    synopsis: `l2proof index --store DIR --l2 URL [--metrics PORT] [--once]
    or L2PROOF_L2 in the environment, in place of --l2`,
    flags: indexFlags,
    rest: `Notes which wallets may hold which tokens, for l2proof serve --data. Run again, it goes on from the last block.

Needs: ${installLine(['lmdb'])}
${metricsLine}
${barLine}

Exit codes: 0 caught up or stopped by a signal, 2 malformed answer, 3 usage, the store or another chain, 4 the node or
the store does not answer, the store is full or has another writer.`,
  },
} as const satisfies Record<string, Page>;
