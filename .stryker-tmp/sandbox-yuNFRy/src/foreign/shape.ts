/** Members of answers that must be proofs; whatever does not fit is a ShapeError. */
// @ts-nocheck

import { ShapeError } from '../errors.js';
import { createMemberReader } from './members.js';

/** Reads members. @throws ShapeError */
export const { openObject, openArray, readMember, nameOf } = createMemberReader(
  (at, reason, options) => new ShapeError(at, reason, options),
);
