/** Members of what L1 endpoints answer. */
import { createReader } from '../../foreign/reader.js';
import { AnchorError } from './errors.js';

/** Reads members. @throws AnchorError `BAD_ANSWER` with the path */
export const { openObject, openArray, readMember, read, as, asHex, asNumber, asQuantity } =
  createReader(
    (path, reason, { cause } = {}) =>
      new AnchorError('BAD_ANSWER', `"${path}" ${reason}`, { cause, path }),
    { hex: (width) => `${width} bytes`, quantity: () => 'a number' },
  );
