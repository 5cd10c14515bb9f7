/** What `l2proof fetch --save` wrote under a block header: read and verified again, by the hash of the block alone. */
import type { AccountProofClaim } from '../../anchor/index.js';
import type { Hex, VerifiedState } from '../../index.js';
import { loadPeer } from '../../peer.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { judgeClaim } from '../flags/claim.js';
import { anchorsOf } from '../flags/endpoints.js';
import { parseAnswerText } from '../input/answer.js';
import { withoutMark } from '../input/lines.js';

/** The claim of the user. */
interface SavedClaim extends Pick<AccountProofClaim, 'address' | 'storageKeys'> {
  /** Of a block that the user trusts. */
  readonly blockHash: string;
}

/** @throws CliError malformed */
function readSaved({ name, bytes }: { name: string; bytes: Buffer }) {
  const saved = parseAnswerText(withoutMark(bytes.toString('utf8')), name);
  const { header, result } = Object(saved) as { header?: unknown; result?: unknown };
  const { number } = Object(header) as { number?: unknown };
  if (typeof number === 'string' && /^0x[\da-f]{1,12}$/.test(number)) {
    return { header, result, number: Number(number) };
  }
  const text = `malformed file: ${name} has no header of a block; l2proof fetch --save writes one`;
  throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
}

/** @throws CliError, UsageError; what the verification throws */
export async function verifySaved(
  file: { name: string; bytes: Buffer },
  { blockHash, ...question }: SavedClaim,
): Promise<VerifiedState<'header'>> {
  const loading = import('../../anchor/index.js');
  const library = await loadPeer(anchorsOf('--block-hash'), '@ethereumjs/rlp', loading);
  const { header, result, number } = readSaved(file);
  return judgeClaim(() => {
    // Its number is what the hash says: whoever trusts the hash names no other.
    const block = { blockHash: blockHash as Hex, l2BlockNumber: number };
    const { stateRoot } = library.verifyL2Header(header, block);
    return library.verifyAccountProof(result, { stateRoot, ...question });
  });
}
