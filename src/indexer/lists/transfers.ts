/** Transfers of a wallet, and what all transfers of a token leave its holders. */
import { addressWidth, bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { signedIn, unsignedIn } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  blockNumberWidth,
  checkWidth,
  contractWidth,
  directions,
  idBytes,
  idWidth,
  newestBlockBytes,
  newestBlockIn,
  newestPlaceBytes,
  newestPlaceIn,
  numberIn,
  placeBytes,
  placeWidth,
  type Standard,
  standards,
  within,
} from '../layout/layout.js';
import { blockIn, bodyIn } from '../layout/record.js';
import { numberedContracts, numbersOf } from '../sealed/numbers.js';
import { readRecords } from '../segments/readRecords.js';
import { countRecords, type ListPart, readList } from './list.js';

/** The place of a transfer in the chain. */
interface TransferPosition {
  readonly block: number;
  /** Number of the log in the block, from 0. */
  readonly log: number;
  /** Number of the transfer in its log, from 0: a batch of ERC-1155 has several. */
  readonly part: number;
}

/** A transfer, as a wallet on one side of it sees it. */
interface WalletTransfer extends TransferPosition {
  /** Place of the transaction in the block. */
  readonly transaction: number;
  readonly standard: Standard;
  /** `both`: the wallet sent it to itself. */
  readonly direction: keyof typeof directions;
  /** The other side; the zero address if it was made or burnt. */
  readonly other: Hex;
  /** Undefined for ERC-20. */
  readonly id: bigint | undefined;
  readonly amount: bigint;
}

/** The sum of a token's transfers for a wallet. A contract may give and take without an event. */
interface WalletSum {
  readonly wallet: Hex;
  /** Never 0; below 0 if a wallet sent what it had got without an event. */
  readonly sum: bigint;
}

/** The sum of a wallet that has or had some of a token, as bytes that hold until the next one is read. */
export interface SumRecord {
  /** 20 bytes. */
  readonly wallet: Uint8Array;
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

export interface TransferLists {
  /** Transfers of a contract's tokens that a wallet sent or got. */
  moved(
    wallet: Hex,
    part: ListPart<TransferPosition> & { readonly contract: Hex },
  ): Promise<WalletTransfer[]>;
  /** How many transfers a wallet has, of all contracts; counting ends at `limit`. */
  countMoved(wallet: Hex, limit: number): Promise<number>;
  /** The sums of a token's transfers for each wallet that had any, in the order of their addresses. */
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

const nameOf = <Name extends string>(
  names: Readonly<Record<Name, number>>,
  value: number,
): Name => {
  const found = (Object.keys(names) as Name[]).find((name) => names[name] === value);
  if (found === undefined) throw new IndexError('DAMAGED', 'the index holds an unknown transfer');
  return found;
};

const blockAt = 1 + addressWidth + contractWidth;
const logAt = blockAt + blockNumberWidth;
const partAt = logAt + placeWidth;

export function decodeMoved({ key, value }: Entry): WalletTransfer {
  const bytes = checkWidth(key, partAt + placeWidth, 'a transfer');
  const body = bodyIn(value);
  const [kind = 0] = body;
  const standard = nameOf(standards, kind & 15);
  const transactionAt = 1 + addressWidth;
  const idAt = transactionAt + placeWidth;
  const amountAt = standard === 'erc20' ? idAt : idAt + idWidth;
  if (body.length < amountAt) throw new IndexError('DAMAGED', 'the index holds half a transfer');
  return {
    block: newestBlockIn(bytes.subarray(blockAt, logAt)),
    log: newestPlaceIn(bytes.subarray(logAt, partAt)),
    part: numberIn(bytes.subarray(partAt)),
    transaction: numberIn(body.subarray(transactionAt, idAt)),
    standard,
    direction: nameOf(directions, kind >> 4),
    other: encodeHex(body.subarray(1, transactionAt)),
    id: standard === 'erc20' ? undefined : bytesToInteger(body.subarray(idAt, amountAt)),
    amount: unsignedIn(body.subarray(amountAt)),
  };
}

export function createTransferLists(store: Store): TransferLists {
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
    async moved(wallet, { contract, ...part }) {
      const [number] = await numbersOf(store, numberedContracts, [contract]);
      if (number === undefined) return [];
      const list = {
        ...({ kind: 'moved', prefix: [addressBytes(wallet), number] } as const),
        ...{ blockBytes: newestBlockBytes, isNewestFirst: true },
        keyBytes: ({ block, log, part }: TransferPosition) => [
          ...[newestBlockBytes(block), newestPlaceBytes(log), placeBytes(part)],
        ],
      };
      return readList(store, list, part, decodeMoved);
    },
    countMoved: (wallet, limit) => countRecords(store, 'moved', [addressBytes(wallet)], limit),
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
      const visitRecord = ({ key, value }: Entry) =>
        visit({
          wallet: key.subarray(-addressWidth),
          sum: bodyIn(value),
          block: blockIn(value),
        });
      await readRecords(store, within('sum', ...prefix), visitRecord, { withZeros: true });
    },
  };
}
