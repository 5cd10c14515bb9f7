/** What a wrong argument of a fetch of something proven is called on the command line. */
import { asUsage } from './args.js';

/** Names of the library's options -> options of the command. */
const names = {
  address: '--address',
  storageKeys: '--slot',
  'trusted.blockHash': '--l1-block-hash',
  l1: '--l1',
};

/** What ended the fetch of something proven, for the user. */
export const fetchFailure = (cause: unknown): unknown => asUsage(names, cause);
