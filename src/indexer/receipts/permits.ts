/** Approvals that Permit2 keeps for all tokens: its own events, and no other contract's. */
import { wordWidth } from '../../abi/word.js';
import { addressWidth, decodeDigits, type Hex } from '../../bytes.js';
import type { Changes } from '../layout/changes.js';
import type { LogPosition } from './position.js';

/** Hashes of its events' signatures. */
export const permitTopics = {
  /** `Approval(address,address,address,uint160,uint48)` */
  approval: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
  /** `Permit(address,address,address,uint160,uint48,uint48)` */
  permit: '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec',
  /** `Lockdown(address,address,address)` */
  lockdown: '0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4',
} as const;

/** Characters of a word's text, and of an address in it. */
const wordLength = 2 * wordWidth;
const addressStart = 2 + 2 * (wordWidth - addressWidth);

/** Where owner, token and spender stand: in topics, or for the last two in words of the data. */
function partsOf(topics: readonly string[], data: string): readonly string[] | undefined {
  const [topic, owner = '', token = '', spender = ''] = topics;
  const length = (data.length - 2) / wordLength;
  const isAll = topic === permitTopics.approval && length === 2;
  if (topics.length === 4 && (isAll || (topic === permitTopics.permit && length === 3))) {
    return [owner, token, spender];
  }
  if (topic !== permitTopics.lockdown || topics.length !== 2 || length !== 2) return undefined;
  const words = data.slice(2);
  return [owner, `0x${words.slice(0, wordLength)}`, `0x${words.slice(wordLength)}`];
}

/** The address in a word with 0x; undefined if it holds no digits there. */
function addressIn(word: string): Uint8Array | undefined {
  const out = new Uint8Array(addressWidth);
  return decodeDigits(word, addressStart, { width: addressWidth, out }) ? out : undefined;
}

/**
 * Adds what a log of Permit2 leaves.
 *
 * @returns the owner; undefined if the log is about something else
 */
export function addPermit(
  changes: Changes,
  { topics, data }: { topics: readonly string[]; data: string },
  { block, places }: LogPosition,
): Uint8Array | undefined {
  const [ownerWord, tokenWord, spenderWord] = partsOf(
    topics.map((topic) => topic.toLowerCase()),
    data,
  ) ?? ['', '', ''];
  const owner = addressIn(ownerWord as string);
  const spender = addressIn(spenderWord as string);
  if (owner === undefined || spender === undefined || !addressIn(tokenWord as string)) {
    return undefined;
  }
  const token: Hex = `0x${(tokenWord as string).slice(addressStart).toLowerCase()}`;
  changes.key('permit').part(owner).ofContract(changes.contract(token)).part(spender);
  changes.put(block, places);
  return owner;
}
