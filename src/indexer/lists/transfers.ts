/** Transfers of a wallet. */
import { addressWidth, bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { readNumber } from '../../tree/store/numbers.js';
import { unsignedIn } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import {
  addressBytes,
  blockNumberWidth,
  checkWidth,
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
import { stateWidth } from '../layout/record.js';
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

const blockAt = 1 + addressWidth + contractWidth;
const logAt = blockAt + blockNumberWidth;
const partAt = logAt + placeWidth;

/** Offsets in a value. */
const otherAt = stateWidth + 1;
const transactionAt = otherAt + addressWidth;
const idAt = transactionAt + placeWidth;

/** By offsets in key and value: pages hold many, and to make an array of each member takes longer than to read it. */
export function decodeMoved({ key, value }: Entry): WalletTransfer {
  checkWidth(key, partAt + placeWidth, 'a transfer');
  const kind = value[stateWidth] ?? 0;
  const standard = standardNames[kind & 15];
  const direction = directionNames[kind >> 4];
  if (standard === undefined || direction === undefined) {
    throw new IndexError('DAMAGED', 'the index holds an unknown transfer');
  }
  const amountAt = standard === 'erc20' ? idAt : idAt + idWidth;
  if (value.length < amountAt) throw new IndexError('DAMAGED', 'the index holds half a transfer');
  return {
    block: newestBlockAt(key, blockAt),
    log: newestPlaceAt(key, logAt),
    part: readNumber(key, partAt, placeWidth),
    transaction: readNumber(value, transactionAt, placeWidth),
    standard,
    direction,
    other: encodeHex(value.subarray(otherAt, transactionAt)),
    id: standard === 'erc20' ? undefined : bytesToInteger(value.subarray(idAt, amountAt)),
    amount: unsignedIn(value, amountAt),
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
