/** What `npm test -- NAME` runs. */
import type { Command } from '../build/commands.js';

export interface Suite {
  /** What it runs, in a line. */
  readonly about: string;
  readonly commands: readonly Command[];
  /** It runs on the sources alone. */
  readonly needsNoBuild?: true;
  readonly env?: Readonly<Record<string, string>>;
}

/** Vitest with limits of time, in milliseconds, that also hold on a machine that others use. */
const vitest = (testTimeout: number, hookTimeout: number, ...flags: readonly string[]): Command => [
  ...(['vitest', 'run', ...flags] as const),
  ...['--testTimeout', String(testTimeout), '--hookTimeout', String(hookTimeout)],
];

/** The suite without a name: all tests that need no network but loopback. */
export const allTests: Suite = {
  about: 'all tests that need no network but loopback',
  commands: [vitest(60_000, 60_000)],
};

export const suites: Readonly<Record<string, Suite>> = {
  deep: {
    about: 'the same with 2,000 runs of each property, and longer chains',
    commands: [vitest(1_200_000, 60_000)],
    env: { FC_NUM_RUNS: '2000', DEEP: '1' },
  },
  coverage: {
    about: 'the same with a table of what was run; fails below the bars in vitest.config.ts',
    commands: [vitest(120_000, 120_000, '--coverage')],
  },
  checks: {
    about: 'leaves out each check, one at a time, and sees a test fail for each',
    commands: [['tsx', 'test/checks/run.ts']],
    needsNoBuild: true,
  },
  mutation: {
    about: 'the verifier with each small change that Stryker knows: hours',
    commands: [['tsx', 'test/mutation/run.ts']],
    needsNoBuild: true,
  },
  peers: {
    about: 'beside the oldest and the newest optional packages; asks the npm registry',
    commands: [['tsx', 'test/peers/run.ts']],
  },
  runtimes: {
    about: 'on Bun, Deno and workerd; asks the npm registry',
    commands: [['tsx', 'test/runtimes/run.ts']],
  },
  browser: {
    about:
      'the verifier, the pool, the dapp of a guide, the light client, balances and the explorer in Chromium',
    commands: [
      ['tsx', 'test/browser/run.ts'],
      ['tsx', 'test/browser/dapp.ts'],
      ['tsx', 'test/browser/consensus.ts'],
      ['tsx', 'test/browser/wallet.ts'],
      ['tsx', 'test/browser/explorer.ts'],
    ],
  },
  site: {
    about:
      'the site, made anew: its links, its search, its pictures and who can use it, in Chromium',
    commands: [['tsx', 'test/site/run.ts']],
  },
  postgres: {
    about: 'the store in PostgreSQL, on a server that it starts',
    commands: [vitest(60_000, 60_000, '--config', 'test/postgres/vitest.config.ts')],
  },
  deploy: {
    about:
      'the image, services, units, alerts and dashboard of `deploy`, with the tools that read them',
    commands: [vitest(60_000, 60_000, '--config', 'test/deploy/vitest.config.ts')],
  },
  examples: {
    about: 'the folders of `examples`, as a user copies them, on a devnet from the packed tarballs',
    commands: [vitest(120_000, 120_000, '--config', 'test/examples/vitest.config.ts')],
  },
  proxies: {
    about: 'the server behind HAProxy and nginx, which it starts',
    commands: [vitest(60_000, 60_000, '--config', 'test/proxies/vitest.config.ts')],
  },
};
