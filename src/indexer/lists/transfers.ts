/** Transfers of a wallet. */
import { addressWidth, type Hex, hexOf } from '../../bytes.js';
import type { Store } from '../../tree/index.js';
import { readNumber } from '../../tree/store/numbers.js';
import { unsignedIn } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  blockNumberWidth,
  contractWidth,
  directionNames,
  type directions,
  idWidth,
  newestBlockAt,
  newestBlockBytes,
  newestPlaceAt,
  newestPlaceBytes,
  placeBytes,
  placeWidth,
  type Standard,
  standardNames,
} from '../layout/layout.js';
import { type PageRecord, stateWidth } from '../layout/record.js';
import { atMoment } from '../sealed/moment.js';
import { contractNumber } from '../sealed/numbers.js';
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

export interface TransferLists {
  /** Transfers of a contract's tokens that a wallet sent or got. */
  moved(
    wallet: Hex,
    part: ListPart<TransferPosition> & { readonly contract: Hex },
  ): Promise<WalletTransfer[]>;
  /** How many transfers a wallet has, of all contracts; counting ends at `limit`. */
  countMoved(wallet: Hex, limit: number): Promise<number>;
}

/** Offsets in a key. */
const blockAt = 1 + addressWidth + contractWidth;
const logAt = blockAt + blockNumberWidth;
const partAt = logAt + placeWidth;
const keyWidth = partAt + placeWidth;

/** Offsets in a value. */
const otherAt = stateWidth + 1;
const transactionAt = otherAt + addressWidth;
const idAt = transactionAt + placeWidth;

/** By offsets on the page: pages hold many, and to make an array of each member takes longer than to read it. */
export function decodeMoved({ bytes, keyFrom, valueFrom, end }: PageRecord): WalletTransfer {
  const kind = valueFrom + stateWidth < end ? (bytes[valueFrom + stateWidth] as number) : 0;
  const standard = standardNames[kind & 15];
  const direction = directionNames[kind >> 4];
  if (standard === undefined || direction === undefined) {
    throw new IndexError('DAMAGED', 'the index holds an unknown transfer');
  }
  const amountFrom = valueFrom + (standard === 'erc20' ? idAt : idAt + idWidth);
  if (valueFrom - keyFrom !== keyWidth || end < amountFrom) {
    throw new IndexError('DAMAGED', 'the index holds half a transfer');
  }
  return {
    block: newestBlockAt(bytes, keyFrom + blockAt),
    log: newestPlaceAt(bytes, keyFrom + logAt),
    part: readNumber(bytes, keyFrom + partAt, placeWidth),
    transaction: readNumber(bytes, valueFrom + transactionAt, placeWidth),
    standard,
    direction,
    other: hexOf(bytes, valueFrom + otherAt, valueFrom + transactionAt),
    id: standard === 'erc20' ? undefined : unsignedIn(bytes, valueFrom + idAt, amountFrom),
    amount: unsignedIn(bytes, amountFrom, end),
  };
}

export function createTransferLists(store: Store): TransferLists {
  return {
    moved: (wallet, { contract, ...part }) =>
      atMoment(store, async (moment) => {
        const number = await contractNumber(moment, contract);
        if (number === undefined) return [];
        const list = {
          kind: 'moved' as const,
          prefix: [addressBytes(wallet), number],
          blockBytes: newestBlockBytes,
          isNewestFirst: true,
          keyBytes: ({ block, log, part }: TransferPosition) => [
            ...[newestBlockBytes(block), newestPlaceBytes(log), placeBytes(part)],
          ],
        };
        return readList(moment, list, part, decodeMoved);
      }),
    countMoved: (wallet, limit) =>
      atMoment(store, (moment) => countRecords(moment, 'moved', [addressBytes(wallet)], limit)),
  };
}
