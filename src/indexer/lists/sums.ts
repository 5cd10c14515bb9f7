/** What all transfers of a token leave its holders. */
import { addressWidth, bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { signedIn } from '../layout/combine.js';
import { addressBytes, idBytes, idWidth, standards, within } from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { atMoment, type Moment } from '../sealed/moment.js';
import { contractNumber } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';
import { mostRepeats } from './list.js';

/** What transfers of a token leave a wallet. A contract may give and take without an event. */
export interface WalletSum {
  readonly wallet: Hex;
  /** Never 0; below 0 if a wallet sent what it had got without an event. */
  readonly sum: bigint;
}

/** The sum of a wallet that has or had some of a token, as bytes that hold until the next one is read. */
export interface SumRecord {
  /** 20 bytes. */
  readonly wallet: Uint8Array;
  /** 32 bytes; undefined unless it is of an ERC-1155 token. */
  readonly id: Uint8Array | undefined;
  /** In two's complement, big-endian, as short as it can be; of no bytes it is 0. */
  readonly sum: Uint8Array;
  /** The last block that changed it. */
  readonly block: number;
}

/** All of a fungible token or of an ERC-721 contract; or the ERC-1155 tokens of one id, or of all. */
type AllSums =
  | { readonly standard: 'erc20' | 'erc721'; readonly id?: undefined }
  | { readonly standard: 'erc1155'; readonly id?: bigint };

/** A token, or the tokens of one id. */
type SumsOf = (
  | { readonly standard: 'erc20' | 'erc721'; readonly id?: undefined }
  | { readonly standard: 'erc1155'; readonly id: bigint }
) & {
  /** The last wallet that was read: wallets go on behind it, in the order of their addresses. */
  readonly after?: Hex | undefined;
  readonly limit: number;
};

export interface SumLists {
  /** What transfers leave the wallets that had any of a token, in the order of their addresses. */
  sums(contract: Hex, of: SumsOf): Promise<WalletSum[]>;
  /** Ids of ERC-1155 tokens, both ends among them, of which transfers leave some wallet a sum that is not 0. */
  heldIds(contract: Hex, ids: { readonly from: bigint; readonly to: bigint }): Promise<bigint[]>;
  /**
   * Goes through the sums of all wallets that have or had any of a token, in the order of their addresses, as they were at
   * one moment.
   *
   * @param visit false ends it; a promise is waited for before the next one
   */
  eachSum(
    contract: Hex,
    of: AllSums,
    visit: (record: SumRecord) => boolean | Promise<boolean>,
  ): Promise<void>;
}

/** Ids of sums within bounds, of which each stands once. */
async function idsOfSums(
  moment: Moment,
  prefix: readonly Uint8Array[],
  { from, to }: { from: bigint; to: bigint },
): Promise<bigint[]> {
  const found: bigint[] = [];
  const end = within('sum', ...prefix, idBytes(to)).to;
  for (let next = from; next <= to; next = (found.at(-1) as bigint) + 1n) {
    let repeats = 0;
    let isCut = false;
    const start = within('sum', ...prefix, idBytes(next)).from;
    await readRecords(moment, { from: start, to: end }, ({ key }) => {
      const id = bytesToInteger(key.subarray(-addressWidth - idWidth, -addressWidth));
      if (id !== found.at(-1)) {
        found.push(id);
        repeats = 0;
        return true;
      }
      isCut = ++repeats === mostRepeats;
      return !isCut;
    });
    if (!isCut) break;
  }
  return found;
}

/** What the keys of sums begin with; undefined for a contract without any event. */
async function sumPrefix(
  moment: Moment,
  contract: Hex,
  { standard, id }: AllSums,
): Promise<readonly Uint8Array[] | undefined> {
  const number = await contractNumber(moment, contract);
  const ofId = id === undefined ? [] : [idBytes(id)];
  return number && [number, Uint8Array.of(standards[standard]), ...ofId];
}

export const createSumLists = (store: Store): SumLists => ({
  sums: (contract, { after, limit, ...of }) =>
    atMoment(store, async (moment) => {
      const prefix = await sumPrefix(moment, contract, of);
      const found: WalletSum[] = [];
      if (prefix === undefined || limit <= 0) return found;
      const { from, to } = within('sum', ...prefix);
      const start = after === undefined ? from : within('sum', ...prefix, addressBytes(after)).to;
      await readRecords(moment, { from: start, to }, ({ key, value }) => {
        const sum = signedIn(bodyIn(value));
        if (sum !== 0n) found.push({ wallet: encodeHex(key.subarray(-addressWidth)), sum });
        return found.length < limit;
      });
      return found;
    }),
  heldIds: (contract, ids) =>
    atMoment(store, async (moment) => {
      const prefix = await sumPrefix(moment, contract, { standard: 'erc1155' });
      return prefix === undefined ? [] : idsOfSums(moment, prefix, ids);
    }),
  eachSum: (contract, of, visit) =>
    atMoment(store, async (moment) => {
      const prefix = await sumPrefix(moment, contract, of);
      if (prefix === undefined) return;
      const isOfItems = of.standard === 'erc1155';
      const idEnd = -addressWidth;
      const visitRecord = ({ key, value }: Entry) =>
        visit({
          wallet: key.subarray(-addressWidth),
          id: isOfItems ? key.subarray(idEnd - idWidth, idEnd) : undefined,
          sum: bodyIn(value),
          block: blockIn(value),
        });
      await readRecords(moment, within('sum', ...prefix), visitRecord, { withZeros: true });
    }),
});
