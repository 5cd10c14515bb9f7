/** The optional packages of the commands: their help names them, and so does the message if one is missing. */
import { CodedError } from '../../errors.js';
import { installLine, type Peer, type PeerUser } from '../../peer.js';
import { CliError, exitCodes } from './exit.js';

/** To read proofs of L1. */
export const anchorPeers = ['@ethereumjs/rlp'] as const;
/** To call contracts. */
export const callPeers = ['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'] as const;
/** To answer over HTTP. */
export const webPeers = ['hono', '@hono/node-server'] as const;
/** To watch a server. */
export const watchPeers = ['pino', 'prom-client'] as const;
/** To serve decoded transactions. */
export const decoderPeers = ['@hono/zod-openapi', 'zod', 'viem'] as const;
export const proxyPeers = [...anchorPeers, ...webPeers] as const;
export const provingPeers = [...anchorPeers, ...callPeers] as const;
/** Two nodes, and all commands that answer from them. */
export const devnetPeers = [
  '@foundry-rs/anvil',
  ...webPeers,
  'lmdb',
  ...watchPeers,
  ...decoderPeers,
  ...provingPeers,
] as const;

/** All packages of some work, whichever is missing: a user who misses one misses most. */
const needsMore = (title: string, peers: readonly Peer[]): string =>
  `${title} needs more packages; run: ${installLine([...new Set(peers)])}`;

/** The error of a missing package. */
export const missing = (message: string, options: ErrorOptions): CliError =>
  new CliError(exitCodes.usage, message, { ...options, code: 'MISSING_PEER' });

/** A part of a command that needs packages. */
export const partOf = <Name extends Peer>(title: string, ...needs: Name[]): PeerUser<Name> => ({
  title,
  needs,
  fail: missing,
});

/** A part of a command whose error names all that the command needs. */
export const userOf = <Name extends Peer>(
  title: string,
  needs: readonly Name[],
): PeerUser<Name> => ({
  ...partOf(title, ...needs),
  fail: (_, options) => missing(needsMore(title, needs), options),
});

/** The error of work that may miss a package: it then names all that the work needs. */
export const namingNeeds = (title: string, peers: readonly Peer[], cause: unknown): unknown =>
  cause instanceof CodedError && cause.code === 'MISSING_PEER'
    ? missing(needsMore(title, peers), { cause })
    : cause;
