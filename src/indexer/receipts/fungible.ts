/** The ERC-20 transfers of a transaction, read of its logs as the index reads them. */
import { bytesToInteger, encodeHex, type Hex } from '../../bytes.js';
import { nativeLogAddress } from '../../decode/receipt/nativeLogAddress.js';
import { parseTokenEvent } from '../logs/events.js';
import { Wrappings } from './wrappings.js';

/** A log, in lower case. */
interface TransactionLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** Whose sides of transfers are wanted. */
export interface SidesWish {
  readonly wallet: Hex;
  /** Undefined: of all contracts. */
  readonly contract: Hex | undefined;
  /** Whether the oldest one comes first. */
  readonly isAscending: boolean;
}

/** A transfer as a wallet sees it. */
export interface TransferSide extends FungibleTransfer {
  readonly type: 'transfer-in' | 'transfer-out';
}

export interface FungibleTransfer {
  readonly contract: Hex;
  /** The zero address if the tokens were made. */
  readonly from: Hex;
  /** The zero address if they were burnt. */
  readonly to: Hex;
  /** In smallest units. */
  readonly amount: bigint;
}

/** @param logs all of one transaction, in order @returns the transfers, in order */
export function readFungibleTransfers(logs: readonly TransactionLog[]): FungibleTransfer[] {
  const wrappings = new Wrappings();
  const found: FungibleTransfer[] = [];
  for (const { address: contract, topics, data } of logs) {
    // Native value is no token, though its transfers look like one's (EIP-7708).
    const event = contract === nativeLogAddress ? undefined : parseTokenEvent({ topics, data });
    if (event?.kind !== 'transfer' || event.standard !== 'erc20') continue;
    if (wrappings.isRepeated(event, contract)) continue;
    const { from, to, amounts } = event;
    const amount = bytesToInteger(amounts[0] as Uint8Array);
    found.push({ contract, from: encodeHex(from), to: encodeHex(to), amount });
  }
  return found;
}

/** A wallet's sides of transfers: both, if it sent tokens to itself. All addresses in lower case. */
export function sidesOf(
  transfers: readonly FungibleTransfer[],
  { wallet, contract, isAscending }: SidesWish,
): TransferSide[] {
  const sides: TransferSide[] = [];
  for (const one of transfers) {
    if (contract !== undefined && one.contract !== contract) continue;
    if (one.from === wallet) sides.push({ ...one, type: 'transfer-out' });
    if (one.to === wallet) sides.push({ ...one, type: 'transfer-in' });
  }
  return isAscending ? sides : sides.reverse();
}
