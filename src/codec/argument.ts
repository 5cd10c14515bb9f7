/** Arguments of a caller that only a hash family can judge, beside those that stand for themselves. */
import { isZero } from '../bytes.js';
import { hashOption, wrongRange } from '../errors.js';
import { checkHex } from '../foreign/argument.js';
import { blockWidth } from '../hash/family.js';
import { otherFamilies, type TreeSpec } from './spec.js';

export {
  checkHex,
  ownMembers,
  ownOptions,
  pickMembers,
  refuseEmpty,
  refuseUnknown,
} from '../foreign/argument.js';

/** Bytes of a digest argument: canonical in the family. @throws TypeError or RangeError that names it */
export function checkDigest(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, blockWidth, name);
  if (!spec.hasher.isCanonical(bytes)) {
    throw wrongRange(name, `expected a digest of ${spec.hasher.title}, got a larger number`);
  }
  return bytes;
}

/** Bytes of a trusted root. @throws TypeError or RangeError if it cannot be one */
export function checkRoot(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, blockWidth, name);
  // The rollup contract answers zero for a block that ended no finalization.
  if (isZero(bytes)) {
    throw wrongRange(name, 'is zero, which is no root: L1 holds none for that block');
  }
  if (!spec.hasher.isCanonical(bytes)) {
    throw wrongRange(
      name,
      `is no root of ${spec.hasher.title} (${hashOption(spec.hasher.family)}). Pass ${otherFamilies(spec).map(hashOption).join(' or ')} if it is one of that family; a block header's stateRoot is neither, it is another tree's`,
    );
  }
  return bytes;
}
