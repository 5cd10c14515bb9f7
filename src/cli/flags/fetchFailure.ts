/** What ended the fetch of something proven, in the user's words, and the exit code that it ends with. */
import type { AnchorError } from '../../anchor/index.js';
import { ShapeError, VerificationError } from '../../index.js';
import { RpcError } from '../../rpc/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { asUsage } from './args.js';

/** Names of the library's options -> options of the command. */
const names = {
  address: '--address',
  storageKeys: '--slot',
  'trusted.blockHash': '--l1-block-hash',
  l1: '--l1',
};

/** Codes of malformed answers; all other RpcErrors mean that no server answered. */
const malformedRpc = ['NOT_JSON', 'BAD_ENVELOPE', 'WRONG_ID', 'TOO_LARGE', 'BAD_PARTS'];

/** Codes of an AnchorError that mean "could not find out", as opposed to something wrong. */
const unknownAnchor = [
  'PROOF_WINDOW',
  'L1_BLOCK_NOT_HELD',
  'STALE',
  'NOT_PROVABLE',
  'NO_STATE_ROOT',
];

const exitCodeOfAnchor = ({ code }: AnchorError): number => {
  if (code === 'BAD_ANSWER') return exitCodes.malformed;
  return unknownAnchor.includes(code) ? exitCodes.unknown : exitCodes.notVerified;
};

/** What ended the fetch of something proven, for the user. */
export function fetchFailure(cause: unknown, AnchorErrorClass: typeof AnchorError): unknown {
  const fail = (exitCode: number, text: string) => new CliError(exitCode, text, { cause });
  if (cause instanceof VerificationError) {
    const text = `not verified: ${cause.message}; distrust the L2 server`;
    return fail(exitCodes.notVerified, text);
  }
  if (cause instanceof ShapeError) {
    return fail(exitCodes.malformed, `malformed answer: ${cause.message}; ask another L2 server`);
  }
  if (cause instanceof AnchorErrorClass) {
    return fail(exitCodeOfAnchor(cause), `no trusted root: ${cause.message}`);
  }
  if (cause instanceof RpcError) {
    const isMalformed = malformedRpc.includes(cause.code);
    return fail(isMalformed ? exitCodes.malformed : exitCodes.unknown, cause.message);
  }
  return asUsage(names, cause);
}
