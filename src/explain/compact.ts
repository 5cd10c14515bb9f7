/** A compact proof: what its trees show of the asked keys, and the laws in the order of the verifier. */
import { encodeHex } from '../bytes.js';
import { decodeAccount } from '../codec/account.js';
import { accountWidth } from '../codec/spec.js';
import { decodeCompact } from '../compact/decode.js';
import { distinctKeys } from '../compact/keys.js';
import { needsStorage } from '../compact/verify.js';
import type { CheckedClaim } from '../verify/claim.js';
import { attempt } from './attempt.js';
import { explainTree } from './compactTree.js';
import { type Asked, askedKeys, emptyKey } from './keys.js';
import { brokenLaw, type Compared, comparedLaw, plainLaw } from './laws.js';
import type { KeyExplanation, Place } from './types.js';

/** Explains a compact proof. */
export function explainCompact(
  { spec, stateRoot, question }: CheckedClaim,
  bytes: Uint8Array,
): { proofs: KeyExplanation[]; laws: Compared[] } {
  const [askedAccount, ...askedSlots] = askedKeys(spec, question) as [Asked, ...Asked[]];
  const decoded = attempt(() => decodeCompact(bytes, spec));
  if (decoded.fault) {
    const { fault } = decoded;
    const proofs = [askedAccount, ...askedSlots].map((asked) => emptyKey(asked, 'nothing'));
    return { proofs, laws: [brokenLaw(fault.code === undefined ? 'FORM' : 'INDEX', fault)] };
  }
  const { accountTree, storageTree } = decoded.value;
  const whole: Place = { proof: null, path: null, level: null, field: null };
  const accounts = explainTree(spec, accountTree, [askedAccount], encodeHex(stateRoot));
  const laws = [plainLaw('FORM', { at: '', place: whole, holds: true }), ...accounts.laws];
  const [shownAccount] = accounts.shown as [KeyExplanation];
  const own = accountTree.leaves.find(
    ({ place, content }) => place === 1 && content.length === accountWidth,
  );
  const account =
    shownAccount.shows === 'present' && own ? decodeAccount(spec, own.content, '') : null;
  const { firsts, positions } = distinctKeys(question.storageKeys);
  const at = 'storageTree';
  const place = { ...whole, field: at };
  const root = account && encodeHex(account.storageRoot);
  if (!needsStorage(spec, account, firsts.length)) {
    const holds = storageTree === undefined;
    laws.push(plainLaw(account ? 'STORAGE_NEEDED' : 'NO_SLOT', { at, place, holds }));
    const shown = askedSlots.map((asked) => ({ ...emptyKey(asked, 'empty'), at, root }));
    return { proofs: [shownAccount, ...shown], laws };
  }
  if (storageTree === undefined) {
    const right = encodeHex(spec.emptyRoot);
    laws.push(comparedLaw('PRISTINE', { at, place, left: root, right }));
    const shown = askedSlots.map((asked) => ({ ...emptyKey(asked, 'nothing'), at, root }));
    return { proofs: [shownAccount, ...shown], laws };
  }
  const keys = firsts.map((first) => askedSlots[first] as Asked);
  const slots = explainTree(spec, storageTree, keys, encodeHex(account.storageRoot));
  const shown = positions.map((position) => slots.shown[position] as KeyExplanation);
  return { proofs: [shownAccount, ...shown], laws: [...laws, ...slots.laws] };
}
