/** The block parameter, and the held block that it means. */
import type { Hex } from '../../bytes.js';
import { hasMember, ownMember } from '../../foreign/members.js';
import type { StateTree } from '../../tree/index.js';
import { maxBlock } from '../../tree/store/numbers.js';
import { blockMissing, codes, HttpError } from '../http/httpError.js';

/** The part of a state tree that the service needs. */
export type ProvingTree = Pick<
  StateTree,
  'hash' | 'newestBlock' | 'oldestBlock' | 'blockNumber' | 'stateRoot' | 'getProof'
>;

/** Highest L2 block that is finalized on L1; undefined if none is. */
export type AnyFinality = () => Promise<number | undefined>;

const tags = ['latest', 'earliest', 'pending', 'finalized'] as const;
type Tag = (typeof tags)[number];

/** A tag, a number or a hash. */
export type BlockParameter = Tag | bigint | { readonly hash: Hex };

const invalid = (expected: string) =>
  new HttpError(codes.invalidParams, `params[2] expected ${expected}`);

/** Some clients send leading zeros, which do not change the number. */
const isNumber = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value);

const isHash = (value: unknown): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);

const members = ['blockHash', 'blockNumber', 'requireCanonical'];

/** The object of EIP-1898. `requireCanonical` changes nothing: no other blocks are held. */
function readObject(value: object): BlockParameter {
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) throw invalid(`an object with no members but ${members.join(', ')}`);
  const has = (name: string) => hasMember(value, name);
  const [blockHash, blockNumber] = [ownMember(value, 'blockHash'), ownMember(value, 'blockNumber')];
  if (has('blockHash') !== has('blockNumber')) {
    if (has('blockHash') && isHash(blockHash)) return { hash: blockHash };
    if (has('blockNumber') && isNumber(blockNumber)) return BigInt(blockNumber);
  }
  throw invalid('an object with a "blockHash" of 32 bytes or a "blockNumber" in hex');
}

/** @throws HttpError */
export function parseBlock(value: unknown): BlockParameter {
  const tag = tags.find((name) => name === value);
  if (tag !== undefined) return tag;
  if (isNumber(value)) return BigInt(value);
  if (isHash(value)) return { hash: value };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return readObject(value);
  }
  throw invalid(`a block number in hex, a block hash or one of ${tags.join(', ')}`);
}

/** @throws HttpError */
async function heightOf(finality: AnyFinality): Promise<number | undefined> {
  try {
    const height = await finality();
    // An operator may say that all blocks are final.
    return height === undefined ? undefined : Math.min(height, maxBlock);
  } catch (cause) {
    const text = 'which blocks L1 has finalized is not known right now';
    throw new HttpError(codes.internalError, text, { cause });
  }
}

/** The newest block that is held and finalized. */
export async function newestFinalized(
  tree: ProvingTree,
  finality: AnyFinality,
): Promise<number | undefined> {
  const height = await heightOf(finality);
  return height === undefined ? undefined : tree.newestBlock(height);
}

/** The held and finalized block that is meant. @throws HttpError `BLOCK_MISSING_IN_CHAIN` */
export async function chooseBlock(
  tree: ProvingTree,
  finality: AnyFinality,
  block: BlockParameter,
): Promise<number> {
  if (block === 'pending') throw blockMissing('a pending block is not finalized on L1');
  const height = await heightOf(finality);
  if (height === undefined) throw blockMissing('no block is finalized on L1');
  if (typeof block === 'object') {
    const number = await tree.blockNumber(block.hash, height);
    if (number === undefined) throw blockMissing('block is missing');
    return number;
  }
  if (typeof block === 'bigint') {
    if (block > height) throw blockMissing('block is not finalized on L1');
    const number = Number(block);
    if ((await tree.newestBlock(number)) !== number) throw blockMissing('block is missing');
    return number;
  }
  const number = block === 'earliest' ? await tree.oldestBlock() : await tree.newestBlock(height);
  if (number === undefined || number > height) {
    throw blockMissing('no block is held that is finalized on L1');
  }
  return number;
}
