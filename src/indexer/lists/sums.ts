/** What all transfers of a token leave its holders. */
import { addressWidth, encodeHex, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { signedIn } from '../layout/combine.js';
import { addressBytes, idBytes, idWidth, standards, within } from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { numberedContracts, numbersOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';

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

export function createSumLists(store: Store): SumLists {
  /** What the keys of sums begin with; undefined for a contract without any event. */
  async function sumPrefix(
    contract: Hex,
    { standard, id }: AllSums,
  ): Promise<readonly Uint8Array[] | undefined> {
    const [number] = await numbersOf(store, numberedContracts, [contract]);
    const ofId = id === undefined ? [] : [idBytes(id)];
    return number && [number, Uint8Array.of(standards[standard]), ...ofId];
  }

  return {
    async sums(contract, { after, limit, ...of }) {
      const prefix = await sumPrefix(contract, of);
      const found: WalletSum[] = [];
      if (prefix === undefined || limit <= 0) return found;
      const { from, to } = within('sum', ...prefix);
      const start = after === undefined ? from : within('sum', ...prefix, addressBytes(after)).to;
      await readRecords(store, { from: start, to }, ({ key, value }) => {
        const sum = signedIn(bodyIn(value));
        if (sum !== 0n) found.push({ wallet: encodeHex(key.subarray(-addressWidth)), sum });
        return found.length < limit;
      });
      return found;
    },
    async eachSum(contract, of, visit) {
      const prefix = await sumPrefix(contract, of);
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
      await readRecords(store, within('sum', ...prefix), visitRecord, { withZeros: true });
    },
  };
}
