/** Members of answers that must be proofs; whatever does not fit is a ShapeError. */
import { ShapeError } from '../errors.js';
import { createMemberReader } from './members.js';

// Marked as pure, so that a bundle that reads nothing has none of it.
const reader = /* @__PURE__ */ createMemberReader(
  (at, reason, options) => new ShapeError(at, reason, options),
);
export const openObject = /* @__PURE__ */ (() => reader.openObject)();
export const openArray = /* @__PURE__ */ (() => reader.openArray)();
export const readMember = /* @__PURE__ */ (() => reader.readMember)();
export const nameOf = /* @__PURE__ */ (() => reader.nameOf)();
