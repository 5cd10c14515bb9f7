/** A result of `l2_getProof`: its entries, and the laws in the order of the verifier. */
import { encodeHex } from '../bytes.js';
import { accountWidth, otherFamilies, type TreeSpec } from '../codec/spec.js';
import type { ProofError } from '../errors.js';
import { openArray, openObject, readMember } from '../foreign/shape.js';
import { hexBytes } from '../foreign/values.js';
import { blockWidth } from '../hash/family.js';
import { parseResult } from '../proof/parse.js';
import type { CheckedClaim } from '../verify/claim.js';
import { attempt } from './attempt.js';
import { type Asked, askedKeys, emptyKey, shownValue } from './keys.js';
import {
  brokenLaw,
  type Compared,
  comparedLaw,
  endLaws,
  gapLaws,
  inclusionLaws,
  plainLaw,
} from './laws.js';
import { explainPath, memberOf } from './path.js';
import type { KeyExplanation, PathExplanation } from './types.js';

const members = {
  own: { index: 'leafIndex', proof: 'proof' },
  left: { index: 'leftLeafIndex', proof: 'leftProof' },
  right: { index: 'rightLeafIndex', proof: 'rightProof' },
};

/** One entry. @param root that its paths must lead to */
function explainEntry(
  spec: TreeSpec,
  asked: Asked,
  entry: unknown,
  root: KeyExplanation['root'],
): KeyExplanation {
  const { tree, key, at } = asked;
  const answered = hexBytes(memberOf(entry, 'key'), key.length);
  const width = tree === 'account' ? accountWidth : blockWidth;
  const value = hexBytes(memberOf(memberOf(entry, 'proof'), 'value'), width);
  const path = (name: keyof typeof members) => explainPath(spec, entry, members[name], at);
  const [own, left, right] = [path('own'), path('left'), path('right')];
  return {
    ...emptyKey(asked, own ? 'present' : left || right ? 'absent' : 'nothing'),
    answeredKey: answered ? encodeHex(answered) : null,
    root,
    ...shownValue(spec, tree, value),
    ...{ own, left, right },
  };
}

/** Location of the leaf opening of a path. */
const leafOf = (path: PathExplanation | null, at: string): string => `${path?.at ?? at}[41]`;

/** The laws of one proof, in the order of `checkKey`, `checkExistence` and `checkNonExistence`. */
function proofLaws(spec: TreeSpec, shown: KeyExplanation, proof: number): Compared[] {
  const { at, key, answeredKey, hKey, hValue, root, own, left, right } = shown;
  const laws = [
    comparedLaw('KEY', {
      at: `${at}.key`,
      place: { proof, path: null, level: null, field: 'key' },
      left: answeredKey,
      right: key,
    }),
  ];
  if (own) {
    const where = { proof, path: 'own' } as const;
    const leafAt = leafOf(own, at);
    laws.push(
      comparedLaw('HKEY', {
        at: leafAt,
        place: { ...where, level: 0, field: 'hKey' },
        left: own.leaf?.hKey ?? null,
        right: hKey,
      }),
      comparedLaw('HVALUE', {
        at: leafAt,
        place: { ...where, level: 0, field: 'hValue' },
        left: own.leaf?.hValue ?? null,
        right: hValue,
      }),
      ...endLaws(spec, hKey, leafAt, where),
      ...inclusionLaws(own, root, where),
    );
  }
  if (left || right) laws.push(...gapLaws(shown, proof, (path) => leafOf(path, at)));
  if (left) laws.push(...inclusionLaws(left, root, { proof, path: 'left' }));
  if (right) laws.push(...inclusionLaws(right, root, { proof, path: 'right' }));
  return laws;
}

/** What the whole reading of the answer found. */
function formLaws(
  spec: TreeSpec,
  fault: ProofError | undefined,
  { asked, answered }: { asked: number; answered: number | undefined },
): Compared[] {
  const { family } = spec.hasher;
  const whole = { proof: null, path: null, level: null, field: null };
  const counted =
    answered === undefined || (answered === 0 && asked !== 0)
      ? []
      : [
          comparedLaw('SLOT_COUNT', {
            at: 'storageProofs',
            place: { ...whole, field: 'storageProofs' },
            left: String(answered),
            right: String(asked),
          }),
        ];
  if (fault?.code === 'SLOT_COUNT') return counted;
  if (fault?.code === 'WRONG_FAMILY') {
    const left = otherFamilies(spec).join(' or ');
    return [...counted, brokenLaw('FAMILY', fault, { left, right: family })];
  }
  if (fault) return [...counted, brokenLaw('FORM', fault)];
  return [
    ...counted,
    comparedLaw('FAMILY', { at: '', place: whole, left: family, right: family }),
    plainLaw('FORM', { at: '', place: whole, holds: true }),
  ];
}

/** A slot for which nothing was answered, and the law that this must keep; or the laws of what was. */
function slotLaws(
  spec: TreeSpec,
  {
    account,
    shown,
    entry,
    proof,
  }: {
    account: KeyExplanation;
    shown: KeyExplanation;
    entry: unknown;
    proof: number;
  },
): Compared[] {
  const { at, root } = shown;
  const place = { proof, path: null, level: null, field: null };
  if (account.shows === 'absent') {
    return [plainLaw('NO_SLOT', { at, place, holds: entry === null })];
  }
  if (entry !== null) return proofLaws(spec, shown, proof);
  const right = encodeHex(spec.emptyRoot);
  return [comparedLaw('PRISTINE', { at, place: { ...place, field: 'root' }, left: root, right })];
}

/** Explains a result. */
export function explainResult(
  { spec, stateRoot, question }: CheckedClaim,
  result: unknown,
): { proofs: KeyExplanation[]; laws: Compared[] } {
  const { storageKeys } = question;
  const { fault } = attempt(() => parseResult(result, spec, storageKeys.length));
  const list = attempt(() =>
    openArray(readMember(openObject(result, ''), 'storageProofs'), ''),
  ).value;
  const [asked, ...slots] = askedKeys(spec, question) as [Asked, ...Asked[]];
  const account = explainEntry(spec, asked, memberOf(result, 'accountProof'), encodeHex(stateRoot));
  const proofs = [account];
  const laws = [
    ...formLaws(spec, fault, { asked: storageKeys.length, answered: list?.length }),
    ...proofLaws(spec, account, 0),
  ];
  const root = account.account?.storageRoot ?? null;
  const isEmpty = account.shows === 'absent' || root === encodeHex(spec.emptyRoot);
  for (const [i, slot] of slots.entries()) {
    // Servers leave out all entries of what pristine storage proves.
    const entry =
      list && i < list.length
        ? attempt(() => readMember(list, i)).value
        : list?.length === 0
          ? null
          : undefined;
    const read = explainEntry(spec, slot, entry, root);
    const shown = entry === null && isEmpty ? { ...read, shows: 'empty' as const } : read;
    proofs.push(shown);
    laws.push(...slotLaws(spec, { account, shown, entry, proof: i + 1 }));
  }
  return { proofs, laws };
}
