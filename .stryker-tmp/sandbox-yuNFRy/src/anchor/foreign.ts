/** Members of what L1 endpoints answer. */
// @ts-nocheck

import { createMemberReader } from '../foreign/members.js';
import { AnchorError } from './errors.js';

/** Reads members. @throws AnchorError `BAD_ANSWER` with the path */
export const { openObject, openArray, readMember } = createMemberReader(
  (path, reason, { cause } = {}) =>
    new AnchorError('BAD_ANSWER', `"${path}" ${reason}`, { cause, path }),
);
