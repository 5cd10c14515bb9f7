/** Proven members of an item, held against what the server says. */
import { ownMember } from '../../foreign/members.js';
import { notProven } from './tokenCalls.js';

/** Whether two values of JSON are the same; hex in any case. */
const isSame = (said: unknown, proven: unknown): boolean => {
  if (typeof said === 'string' && typeof proven === 'string') {
    return said === proven || (/^0x/.test(said) && said.toLowerCase() === proven);
  }
  if (Array.isArray(said) && Array.isArray(proven)) {
    return said.length === proven.length && proven.every((one, i) => isSame(said[i], one));
  }
  return said === proven;
};

/**
 * The proven members. What the server leaves out is not missed: it is computed.
 *
 * @param given by the server
 * @throws DataError if the server says something else, for then it lies, or means another item
 */
export function agreed<P extends object>(given: object, proven: P): P {
  for (const [name, value] of Object.entries(proven)) {
    const said = ownMember(given, name);
    if (said === undefined || said === null || isSame(said, value)) continue;
    throw notProven(`its ${name} is not the proven one`);
  }
  return proven;
}
