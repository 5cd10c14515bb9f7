/** This machine alone. */
import { wrongHostText } from '../../loopback.js';
import { codes, HttpError } from './httpError.js';

/** Whether only this machine can reach a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The answer to a request that was sent to another name, if no key is asked for. */
export const wrongHost = (): HttpError =>
  new HttpError(codes.invalidRequest, wrongHostText, { status: 403 });
