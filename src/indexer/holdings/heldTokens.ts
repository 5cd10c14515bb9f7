/** The tokens with ids that a wallet may hold. */
import { addressWidth, encodeHex, equalBytes, type Hex } from '../../bytes.js';
import type { Store } from '../../tree/index.js';
import {
  addressBytes,
  blockBytes,
  blockNumberWidth,
  checkWidth,
  contractWidth,
  idBytes,
  idWidth,
  keyOf,
  type Standard,
  standards,
  within,
} from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { contractNumber } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';

/** Which tokens are wanted. */
interface TokensOf {
  readonly standard: Standard;
  readonly contract: Hex;
  readonly block: number;
  readonly limit: number;
}

export interface HeldTokens {
  /**
   * Tokens of an ERC-721 or ERC-1155 contract that a wallet may hold at a block, at most `limit` of them. An ERC-721 token
   * that was sent away after that block is among them.
   */
  tokens(wallet: Hex, options: TokensOf): Promise<bigint[]>;
  /** The same in the order of their ids, behind one of them. Of runs that came together, the first 10,000 are looked at. */
  tokensBehind(wallet: Hex, options: TokensOf & { after: bigint | undefined }): Promise<bigint[]>;
}

/** Ids of tokens, each once, up to a limit. */
class Ids {
  readonly list = new Set<bigint>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.list.size >= this.#limit;
  }

  /** @returns whether there is room for more */
  add(first: bigint, last: bigint = first): boolean {
    for (let id = first; id <= last && !this.isFull; id++) this.list.add(id);
    return !this.isFull;
  }
}

/** The id at the end of a key, or alone. */
const idIn = (bytes: Uint8Array): bigint => BigInt(encodeHex(bytes.subarray(-idWidth)));

/** Tokens sent away that are looked through for one contract, and runs of tokens. */
const maxSent = 10_000;
const maxRuns = 10_000;

const byNumber = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** What a wallet may hold of a contract, at one moment. */
interface OfContract {
  readonly moment: Moment;
  readonly owner: Uint8Array;
  /** Of the contract. */
  readonly number: Uint8Array;
}

/** Adds tokens of a contract that a wallet sent away after a block: few, unless the block is an old one. */
async function addSent(ids: Ids, { moment, owner, number }: OfContract, block: number) {
  const from = keyOf('sent', owner, blockBytes(block + 1));
  const at = 1 + addressWidth + blockNumberWidth;
  let looked = 0;
  await readRecords(moment, { from, to: within('sent', owner).to }, ({ key }) => {
    const bytes = checkWidth(key, at + contractWidth + idWidth, 'a token sent');
    const isOfContract = equalBytes(bytes.subarray(at, at + contractWidth), number);
    if (isOfContract) ids.add(idIn(key));
    return ++looked < maxSent && !ids.isFull;
  });
}

/** Adds tokens of a contract that came to a wallet in runs, from an id on. */
async function addRuns(ids: Ids, { moment, owner, number }: OfContract, least = 0n) {
  let looked = 0;
  await readRecords(moment, within('run', owner, number), ({ key, value }) => {
    const first = idIn(key);
    const last = idIn(bodyIn(checkWidth(value, stateWidth + idWidth, 'a run of tokens')));
    return ids.add(first < least ? least : first, last) && ++looked < maxRuns;
  });
}

export function createHeldTokens(store: Store): HeldTokens {
  /** Reads at one moment; of a contract without a number, a wallet has nothing. */
  const read = (
    wallet: Hex,
    contract: Hex,
    ids: (of: OfContract) => Promise<bigint[]>,
  ): Promise<bigint[]> =>
    atMoment(store, async (moment) => {
      const number = await contractNumber(moment, contract);
      return number ? ids({ moment, number, owner: addressBytes(wallet) }) : [];
    });

  return {
    tokens: (wallet, { standard, contract, block, limit }) =>
      read(wallet, contract, async (of) => {
        const ids = new Ids(limit);
        if (ids.isFull) return [];
        const held = within('token', of.owner, Uint8Array.of(standards[standard]), of.number);
        await readRecords(of.moment, held, ({ key }) => ids.add(idIn(key)));
        if (standard !== 'erc721' || ids.isFull) return [...ids.list];
        await addRuns(ids, of);
        if (!ids.isFull) await addSent(ids, of, block);
        return [...ids.list];
      }),
    tokensBehind: (wallet, { standard, contract, block, after, limit }) =>
      read(wallet, contract, async (of) => {
        if (limit <= 0) return [];
        const least = after === undefined ? 0n : after + 1n;
        const held = new Ids(limit);
        const [inRuns, sent] = [new Ids(limit), new Ids(maxSent)];
        const prefix = [of.owner, Uint8Array.of(standards[standard]), of.number];
        const { from, to } = within('token', ...prefix);
        const start = after === undefined ? from : within('token', ...prefix, idBytes(after)).to;
        await readRecords(of.moment, { from: start, to }, ({ key }) => held.add(idIn(key)));
        if (standard === 'erc721') {
          await addRuns(inRuns, of, least);
          await addSent(sent, of, block);
        }
        const all = [...held.list, ...inRuns.list, ...sent.list].filter((id) => id >= least);
        return [...new Set(all)].sort(byNumber).slice(0, limit);
      }),
  };
}
