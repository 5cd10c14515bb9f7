/** The flags of `l2proof devnet`. */
import { port } from './common.js';
import type { Flags } from './flag.js';

export const devnetFlags = {
  once: { help: 'run the commands to try, show what they print, and end' },
  port: {
    ...port,
    help: 'L1 at this port of loopback, and L2, the server and the proxy at the three behind it (default: any that are free)',
  },
  version9: {
    help: 'L1 takes hashes of L2 blocks in place of state roots, as the next version of the rollup contract does',
  },
  json: {
    group: 'output',
    help: 'print the URLs, files, contracts and commands as one JSON object on a line, and each root that reaches L1 as another',
  },
} as const satisfies Flags;
