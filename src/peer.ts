/**
 * Packages that only some users need: optional peer dependencies, loaded when they are called for. package.json takes every
 * version from the oldest to the newest that was tested here.
 */

/** Oldest and newest version tested. */
export const peers = {
  '@ethereumjs/common': { oldest: '10.1.3', newest: '10.1.3' },
  '@ethereumjs/evm': { oldest: '10.1.3', newest: '10.1.3' },
  '@ethereumjs/rlp': { oldest: '10.0.0', newest: '10.1.3' },
  '@ethereumjs/util': { oldest: '10.1.3', newest: '10.1.3' },
  '@foundry-rs/anvil': { oldest: '1.7.0', newest: '1.7.1' },
  '@hono/node-server': { oldest: '1.8.0', newest: '2.1.8' },
  '@hono/zod-openapi': { oldest: '1.0.0', newest: '1.6.3' },
  hono: { oldest: '4.0.0', newest: '4.13.19' },
  lmdb: { oldest: '3.0.0', newest: '3.5.6' },
  pg: { oldest: '8.23.0', newest: '8.23.1' },
  pino: { oldest: '7.0.0', newest: '10.4.0' },
  piscina: { oldest: '3.2.0', newest: '5.3.2' },
  'prom-client': { oldest: '10.0.0', newest: '15.1.3' },
  viem: { oldest: '2.23.0', newest: '2.57.1' },
  zod: { oldest: '4.0.0', newest: '4.6.7' },
} as const;

export type Peer = keyof typeof peers;

/** The command that installs packages, each in the newest version tested. */
export const installLine = (names: readonly Peer[]): string =>
  `npm install ${names.map((name) => `${name}@${peers[name].newest}`).join(' ')}`;

/** A part of the library that needs packages, and its error if one is missing. */
export interface PeerUser<Name extends Peer> {
  /** As the message names it. */
  readonly title: string;
  /** All that it needs: the install line has them together, because a user who misses one misses most. */
  readonly needs: readonly Name[];
  /** Makes an error of code `MISSING_PEER`. */
  fail(message: string, options: ErrorOptions): Error;
}

/** The error that says how to install a package. @param cause what loading it threw */
export const missingPeer = <Name extends Peer>(
  { title, needs, fail }: PeerUser<Name>,
  name: Name,
  cause: unknown,
): Error => fail(`${title} needs ${name}; run: ${installLine(needs)}`, { cause });

/**
 * Awaits the import of a package. Whatever goes wrong with it counts as missing: each runtime and bundler has its own error
 * for that, and a package that is there in part is cured by the same command.
 *
 * @throws what {@link PeerUser.fail} makes
 */
export async function loadPeer<Name extends Peer, T>(
  user: PeerUser<Name>,
  name: Name,
  module: Promise<T>,
): Promise<T> {
  try {
    return await module;
  } catch (cause) {
    throw missingPeer(user, name, cause);
  }
}
