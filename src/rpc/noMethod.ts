/** How servers say that they have no such method. */
import { ownMember } from '../foreign/members.js';
import { RpcError, wordsOf } from './errors.js';

/** JSON-RPC code of a method that is not there. */
export const methodNotFound = -32601;

/** Providers with plans and lists of methods have codes of their own for it. */
const wording = /\bmethod\b.*\b(not|disabled)\b|\b(unsupported|unknown) method\b/i;

/** Whether a server says that it has no such method. @param error what a transport threw, also one of a caller's own */
export const lacksMethod = (error: unknown): boolean =>
  ['serverCode', 'code'].some((name) => ownMember(error, name) === methodNotFound) ||
  (error instanceof RpcError && error.code === 'SERVER_ERROR' && wording.test(wordsOf(error)));
