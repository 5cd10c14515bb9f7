/** The hash of L1 that a caller trusts: named, or asked of a light client. */
import { encodeHex, type Hex, isZero } from '../bytes.js';
import { ownMember } from '../foreign/members.js';
import { hexBytes } from '../foreign/values.js';
import { AnchorError } from './common/errors.js';
import { checkEvidence } from './common/evidence.js';
import type { Trusted } from './options.js';
import type { Origin } from './source.js';

/** A hash of L1 that is trusted, and what the anchor says of how it is known. */
export interface KnownHash {
  readonly kind: 'blockHash' | 'stateRoot';
  readonly value: Hex;
  readonly origin: Origin;
}

/** What a light client says that its block rests on; undefined if it names no checkpoint. @throws AnchorError */
function evidenceOf(block: unknown): Origin['consensus'] {
  if (ownMember(block, 'checkpoint') === undefined) return undefined;
  try {
    return checkEvidence(block, 'trusted.finalized');
  } catch (cause) {
    throw new AnchorError('BAD_ANSWER', (cause as Error).message, { cause });
  }
}

/** @throws AnchorError `BAD_ANSWER` if a light client gives no hash; what it throws itself */
export async function findHash(
  trusted: Trusted,
  signal: AbortSignal | undefined,
): Promise<KnownHash> {
  if (trusted.kind !== 'source') {
    return { ...trusted, origin: { how: 'proof', consensus: undefined } };
  }
  const block: unknown = await trusted.source.finalized(signal);
  const hash = hexBytes(ownMember(block, 'executionBlockHash'), 32);
  if (hash === undefined || isZero(hash)) {
    throw new AnchorError('BAD_ANSWER', '"trusted.finalized" gave no hash of 32 bytes');
  }
  const origin = { how: 'consensus', consensus: evidenceOf(block) } as const;
  return { kind: 'blockHash', value: encodeHex(hash), origin };
}
