/** Where an event of a block's receipts happened, in the forms in which keys and bodies have it. */
import { writeNumber } from '../../tree/store/numbers.js';
import {
  blockBytes,
  maxPlace,
  newestBlockBytes,
  placeWidth,
  writePlaces,
} from '../layout/layout.js';
import type { EventPosition } from '../logs/views.js';

/** Bytes that are valid until the next log is read. */
export interface LogPosition extends EventPosition {
  /** Of the block and the log, side by side, so that the newest comes first. */
  readonly newest: Uint8Array;
  /** The transaction's place in the block. */
  readonly transaction: Uint8Array;
}

/** The position that is read, of one block after the other. */
export class CurrentPosition implements LogPosition {
  contract = 0;
  block: Uint8Array = blockBytes(0);
  readonly newest: Uint8Array = new Uint8Array(this.block.length + placeWidth);
  readonly places: Uint8Array = new Uint8Array(2 * placeWidth);
  readonly transaction: Uint8Array = this.places.subarray(0, placeWidth);

  beginBlock(block: number): void {
    this.block = blockBytes(block);
    this.newest.set(newestBlockBytes(block));
  }

  beginTransaction(transaction: number): void {
    writePlaces(this.places, transaction, 0);
  }

  beginLog(log: number): void {
    writeNumber(this.places, placeWidth, log, placeWidth);
    writeNumber(this.newest, this.block.length, maxPlace - log, placeWidth);
  }
}
