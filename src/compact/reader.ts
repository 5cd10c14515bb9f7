/** Reads compact bytes from front to back. Rejects, never repairs: one number has one form. */
import { isBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { nameOf } from '../foreign/shape.js';
import { maxCompactWidth, maxNumberWidth } from './format.js';

/** A byte from here on says that more of the number follows. */
const more = 0x80;

/** Asked of the internal slot: an own member of the same name is no length. */
const lengthOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  'length',
)?.get as (this: unknown) => unknown;

/** Location of a member, for errors: written out only if there is one. */
export type Locate = (member: string) => string;

/** The front of what is read, in bytes of its own. */
export class CompactReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  /**
   * Copies the bytes, so that nothing can change them while they are checked.
   *
   * @throws ShapeError for anything but a Uint8Array that a compact proof fits
   */
  constructor(value: unknown) {
    if (!isBytes(value)) {
      throw new ShapeError('', `expected a Uint8Array, got ${nameOf(value, '')}`);
    }
    const length = lengthOf.call(value) as number;
    // A buffer that was transferred has length 0 too, and copying it would throw.
    if (length === 0 || length > maxCompactWidth) {
      throw new ShapeError('', `expected 1 to ${maxCompactWidth} bytes, got ${length}`);
    }
    this.#bytes = new Uint8Array(value);
  }

  /** Bytes that are not read yet. */
  get left(): number {
    return this.#bytes.length - this.#position;
  }

  #advance(width: number, locate: Locate, member: string): number {
    if (width > this.left) {
      throw new ShapeError(locate(member), `expected ${width} more bytes, got ${this.left}`);
    }
    this.#position += width;
    return this.#position - width;
  }

  /** The next bytes. @throws ShapeError if there are fewer */
  takeBytes(width: number, locate: Locate, member: string): Uint8Array {
    const from = this.#advance(width, locate, member);
    return this.#bytes.subarray(from, from + width);
  }

  /**
   * A number from 0 in its shortest form: seven bits a byte, the lowest first.
   *
   * @param limit exclusive
   * @throws ShapeError for another form, or a number that reaches the limit
   */
  takeNumber(limit: number, locate: Locate, member: string): number {
    let number = 0;
    let unit = 1;
    for (let width = 1; width <= maxNumberWidth; width++) {
      const byte = this.#bytes[this.#advance(1, locate, member)] as number;
      // A product and no shift: numbers pass 32 bits.
      number += (byte % more) * unit;
      unit *= more;
      if (byte >= more) continue;
      // A last byte of zero adds nothing, and the number would have a second form.
      if (byte === 0 && width > 1) {
        throw new ShapeError(locate(member), 'expected the shortest form of the number');
      }
      if (number < limit) return number;
      throw new ShapeError(locate(member), `expected a number below ${limit}, got ${number}`);
    }
    throw new ShapeError(locate(member), `expected a number of at most ${maxNumberWidth} bytes`);
  }
}
