/** A message from L2 to L1: its members, and the hash that stands for it in the trees on L1. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeBytes, encodeParts, longPart, wordPart } from '../abi/encode.js';
import { encodeWord } from '../abi/word.js';
import { addressWidth, encodeHex, type Hex } from '../bytes.js';
import { shown, wrongRange, wrongType } from '../errors.js';
import { checkHex, ownMembers } from '../foreign/argument.js';

/** A message as L2 has sent it. */
export interface Message {
  /** Who has sent it on L2, 20 bytes. */
  readonly from: Hex;
  /** Who is called on L1, 20 bytes. */
  readonly to: Hex;
  /** Wei for whoever claims it. */
  readonly fee: bigint;
  /** Wei for the one who is called. */
  readonly value: bigint;
  /** Its number, unique among the messages of the L2. Below 2^256. */
  readonly messageNumber: bigint;
  /** Call data for the one who is called, of any length. */
  readonly data: Hex;
}

const names = ['from', 'to', 'fee', 'value', 'messageNumber', 'data'] as const;

/** @throws TypeError or RangeError */
function checkInteger(value: unknown, name: string): bigint {
  if (typeof value !== 'bigint') throw wrongType(name, `expected a bigint, got ${shown(value)}`);
  // A negative one stays negative, however far it is shifted.
  if (value >> 256n === 0n) return value;
  throw wrongRange(name, 'expected a whole number from 0 and below 2^256');
}

/** Hex of any whole number of bytes. @throws TypeError or RangeError */
function checkData(value: unknown, name: string): Hex {
  const width = typeof value === 'string' ? Math.max(0, Math.floor((value.length - 2) / 2)) : 0;
  return encodeHex(checkHex(value, width, name));
}

/** Reads each member once. @returns a frozen copy @throws TypeError or RangeError that names the member */
export function checkMessage(given: unknown): Message {
  const own = ownMembers(given as Message, names, 'message');
  return Object.freeze({
    from: encodeHex(checkHex(own.from, addressWidth, 'message.from')),
    to: encodeHex(checkHex(own.to, addressWidth, 'message.to')),
    fee: checkInteger(own.fee, 'message.fee'),
    value: checkInteger(own.value, 'message.value'),
    messageNumber: checkInteger(own.messageNumber, 'message.messageNumber'),
    data: checkData(own.data, 'message.data'),
  });
}

/** The hash of a message that was checked. */
export function hashChecked({ from, to, fee, value, messageNumber, data }: Message): Uint8Array {
  const words = [from, to, fee, value, messageNumber].map((word) => wordPart(encodeWord(word)));
  const bytes = checkHex(data, (data.length - 2) / 2, 'data');
  return keccak_256(encodeParts([...words, longPart(encodeBytes(bytes))]));
}

/**
 * The hash of a message, by which both chains name it: keccak-256 of its members in Solidity's ABI.
 *
 * @returns 32 bytes
 * @throws TypeError or RangeError that names a wrong member
 */
export const messageHash = (message: Message): Hex => encodeHex(hashChecked(checkMessage(message)));
