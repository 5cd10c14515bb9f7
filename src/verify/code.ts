/** What a proven account says of its code. */
import type { Hex } from '../bytes.js';
import type { Account, StateKind } from './result.js';

/** keccak256 of no bytes. */
export const noCodeHash: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** Most bytes of code that is taken if no size is proven: as much as any fork lets a contract have (EIP-7907). */
export const longestCode: number = 256 * 1024;

type CodeOf = Pick<Account<StateKind>, 'codeSize' | 'keccakCodeHash'>;

/** Whether there is none. Under a header the hash says it, for no size is proven. */
export const isWithoutCode = ({ codeSize, keccakCodeHash }: CodeOf): boolean =>
  codeSize === undefined ? keccakCodeHash === noCodeHash : codeSize === 0n;

/** Bytes of the code, at most. */
export const mostCodeOf = ({ codeSize }: CodeOf): number =>
  codeSize === undefined ? longestCode : Number(codeSize);
