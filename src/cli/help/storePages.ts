/** How the commands are used that open a store. */
import {
  anchorPeers,
  callPeers,
  decoderPeers,
  devnetPeers,
  watchPeers,
  webPeers,
} from '../exit/needs.js';
import { devnetFlags } from '../flags/devnetFlags.js';
import {
  checkFlags,
  exportFlags,
  followFlags,
  indexFlags,
  loadFlags,
  migrateFlags,
  statusFlags,
} from '../flags/feedFlags.js';
import { serveFlags } from '../flags/serve/serveFlags.js';
import type { Page } from './page.js';

const lmdb = [['lmdb']] as const;
const postgres = [['pg'], 'for PostgreSQL, in place of lmdb'] as const;
const metrics = [['prom-client'], '--metrics'] as const;

export const storePages = {
  load: {
    summary: 'Feeds a store from a state file or a genesis',
    forms: ['load --store DIR|URL [FILE|-] [flags]'],
    operands: {
      FILE: "a state file: the genesis and any blocks after it, an object a line; or geth's genesis.json; - or nothing: standard input",
    },
    flags: loadFlags,
    example: 'load --store ./state genesis.json',
    needs: [lmdb, postgres],
    exits:
      '0 loaded, 1 another root than the file names, 2 malformed file, 3 usage or I/O, 4 the store does not answer, is full or has another writer.',
  },
  follow: {
    summary: 'Keeps a store up to date with an L2 node',
    forms: ['follow --store DIR|URL --l2 URL (--fork FORK | --genesis genesis.json) [flags]'],
    flags: followFlags,
    example: 'follow --store ./state --l2 URL --genesis genesis.json',
    needs: [lmdb, postgres, metrics],
    exits:
      '0 caught up or stopped by a signal; 1 the state differs from what L1 or the L2 node has; 2 malformed file or answer; 3 usage or I/O; 4 a node or the store does not answer, the store is full or has another writer.',
  },
  serve: {
    summary: 'Serves proofs from a store, decoded transactions and balances',
    forms: [
      'serve --store DIR|URL (--finality HEIGHT|store | --l1 URL --rollup ADDRESS) [flags]',
      'serve --decode NAME=URL ... [flags]',
    ],
    flags: serveFlags,
    example: 'serve --store ./state --finality store',
    needs: [
      [[...webPeers, 'lmdb', ...watchPeers]],
      postgres,
      [anchorPeers, '--node'],
      [decoderPeers, '--decode'],
      [callPeers, '--fork'],
    ],
    exits:
      '0 ended by a signal, 3 usage, the store, a file, the port or a missing package, 4 the store does not answer.',
  },
  index: {
    summary: 'Indexes the receipts of a chain, for serve --data',
    note: 'Run again, it goes on from the last block.',
    forms: [
      'index --store DIR|URL --l2 URL [flags]',
      'index --store DIR|URL --check [--l2 URL] [flags]',
    ],
    flags: indexFlags,
    example: 'index --store ./index --l2 http://127.0.0.1:8545',
    needs: [lmdb, metrics],
    exits:
      '0 caught up or stopped by a signal, or checked; 1 a sum is not what the contract says; 2 malformed answer; 3 usage, the store, a damaged index or another chain; 4 the node or the store does not answer, the store is full or has another writer.',
  },
  snapshot: {
    summary: 'Brings the state of a store into one file and back',
    note: 'Values that you do not pass are shown as the file claims them.',
    forms: [
      'snapshot export --store DIR|URL --out FILE|- [flags]',
      'snapshot info [FILE|-]',
      'snapshot verify [FILE|-] (--root HEX|FILE | --network NAME|FILE --l1 URL) [flags]',
      'snapshot import [FILE|-] --store DIR|URL (--root HEX|FILE | --network NAME|FILE --l1 URL) [flags]',
    ],
    operands: {
      export:
        'writes the state after a block of a store into a file, also while the store is written to',
      info: 'prints what a file claims; nothing is verified, and anyone can write such a file',
      verify: 'reads a file, and checks that all of it is the state with the root that you trust',
      import:
        'the same, and writes the state into a store that holds none; follow goes on from there',
    },
    flags: { store: exportFlags.store, out: exportFlags.out, ...checkFlags },
    example: 'snapshot export --store ./state --out state.snapshot',
    needs: [[['lmdb'], 'but for info and verify'], postgres, [anchorPeers, '--network']],
    exits:
      '0 done, 1 another state, block or chain than given; 2 malformed file, 3 usage or I/O, 4 could not find out what L1 has, or the store does not answer, is full or has another writer.',
  },
  status: {
    summary: 'Shows what a store holds, and who writes to it',
    note: 'It only reads, also beside a writer. The store is believed: nothing is proven.',
    forms: ['status --store DIR|URL [flags]'],
    flags: statusFlags,
    example: 'status --store ./state',
    needs: [lmdb, postgres],
    exits:
      '0 shown, also if the state is known to be wrong; 3 usage, no store, or one of another format; 4 the store does not answer.',
  },
  migrate: {
    summary: 'Converts a store that an older release wrote, in place',
    forms: ['migrate --store DIR [flags]'],
    flags: migrateFlags,
    example: 'migrate --store ./state',
    needs: [lmdb],
    exits:
      '0 converted, or of this format already; 3 usage, or a store that cannot be converted; 4 the store does not answer, is full or has another writer.',
  },
  devnet: {
    summary: 'Runs two chains with all of l2proof on them, for trying',
    note: 'Anvil as L1 and as L2, a rollup contract, and follow, index, serve and proxy, on free ports of loopback. The state roots on L1 are those of its own follower; there is no validity proof. It prints the URLs and five commands to try. When it ends, nothing of it is left.',
    forms: ['devnet [--once] [--port N] [--json]'],
    flags: devnetFlags,
    example: 'devnet --once',
    needs: [[devnetPeers]],
    exits:
      '0 ended by a signal, or shown; 3 usage or a missing package; 4 one of its processes failed.',
  },
  completion: {
    summary: 'Prints what completes its command lines in a shell',
    forms: ['completion bash|zsh|fish'],
    operands: {
      bash: 'eval "$(l2proof completion bash)" in ~/.bashrc',
      zsh: 'eval "$(l2proof completion zsh)" in ~/.zshrc, behind compinit',
      fish: 'l2proof completion fish | source, in ~/.config/fish/config.fish',
    },
    flags: {},
    example: 'completion bash > ~/.local/share/bash-completion/completions/l2proof',
    needs: [],
    exits: '0 printed, 3 usage.',
  },
} as const satisfies Record<string, Page>;
