/** `l2_getProof`: its parameters, and the block they mean. */
import type { Hex } from '../bytes.js';
import type { ProofWork, StateTree, TreeErrorCode } from '../tree/index.js';
import type { Finality } from './finality.js';
import { blockMissing, codes, Refusal } from './refusal.js';

/** What of a state tree the service needs. */
export type ProvingTree = Pick<StateTree, 'newestBlock' | 'oldestBlock' | 'getProof'>;

/** Highest block number that a tree takes; an operator may say that all blocks are final. */
const maxBlock = 2 ** 48 - 2;

const tags = ['latest', 'earliest', 'pending', 'finalized'] as const;
type Tag = (typeof tags)[number];

export interface ProofCall {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  readonly block: Tag | bigint;
}

const invalid = (reason: string) => new Refusal(codes.invalidParams, reason);

function readHex(value: unknown, width: number, name: string): Hex {
  if (
    typeof value !== 'string' ||
    value.length !== 2 + 2 * width ||
    !/^0x[0-9a-fA-F]*$/.test(value)
  ) {
    throw invalid(`${name} expected 0x and ${width} bytes of hex digits`);
  }
  return value.toLowerCase() as Hex;
}

function readBlock(value: unknown): Tag | bigint {
  const tag = tags.find((name) => name === value);
  if (tag !== undefined) return tag;
  // Leading zeros mean nothing else and some clients send them; a block hash is longer than any number.
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value)) return BigInt(value);
  throw invalid(`params[2] expected a block number in hex or one of ${tags.join(', ')}`);
}

/** The three parameters by position. @throws Refusal */
export function readParams(params: unknown, maxKeys: number): ProofCall {
  if (!Array.isArray(params) || params.length !== 3) {
    throw invalid('params expected an array of address, storageKeys, blockParameter');
  }
  const [address, storageKeys, block] = params as unknown[];
  if (!Array.isArray(storageKeys)) throw invalid('params[1] expected an array of storage keys');
  if (storageKeys.length > maxKeys) {
    throw invalid(`params[1] expected at most ${maxKeys} storage keys`);
  }
  return {
    address: readHex(address, 20, 'params[0]'),
    storageKeys: storageKeys.map((key, i) => readHex(key, 32, `params[1][${i}]`)),
    block: readBlock(block),
  };
}

/** The operator's word on how far L1 is. @throws Refusal */
async function heightOf(finality: Finality): Promise<number> {
  try {
    return Math.min(await finality(), maxBlock);
  } catch (cause) {
    const text = 'which blocks L1 has finalized is not known right now';
    throw new Refusal(codes.internalError, text, { cause });
  }
}

/** The newest block that is held and finalized. */
export async function newestFinalized(
  tree: ProvingTree,
  finality: Finality,
): Promise<number | undefined> {
  return tree.newestBlock(await heightOf(finality));
}

/** The held and finalized block that is meant. @throws Refusal `BLOCK_MISSING_IN_CHAIN` */
async function chooseBlock(
  tree: ProvingTree,
  finality: Finality,
  block: Tag | bigint,
): Promise<number> {
  if (block === 'pending') throw blockMissing('a pending block is not finalized on L1');
  const height = await heightOf(finality);
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

const hasCode = (error: unknown, code: TreeErrorCode) =>
  (Object(error) as { code?: unknown }).code === code;

/**
 * Makes the proof.
 *
 * @throws Refusal `BLOCK_MISSING_IN_CHAIN`, or without a time to try again when the proof takes too many reads
 */
export async function prove(
  tree: ProvingTree,
  finality: Finality,
  call: ProofCall,
  work?: ProofWork,
) {
  for (let attempt = 1; ; attempt++) {
    const block = await chooseBlock(tree, finality, call.block);
    try {
      return { block, result: await tree.getProof(call.address, call.storageKeys, block, work) };
    } catch (error) {
      if (hasCode(error, 'TOO_MANY_READS')) {
        throw new Refusal(codes.limitExceeded, (error as Error).message);
      }
      if (!hasCode(error, 'BLOCK_MISSING')) throw error;
      // It was dropped in between. A tag then means another block; a number means none.
      if (attempt === 2) throw blockMissing('block is missing');
    }
  }
}
