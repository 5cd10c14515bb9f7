/** A small assembler, so that the contracts we write by hand can be read. */
// @ts-nocheck

import type { Hex } from '../../../src/bytes.js';

const opcodes: Record<string, number> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  PUSH0: 0x5f,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
};
for (let n = 1; n <= 16; n++) {
  opcodes[`DUP${n}`] = 0x7f + n;
  opcodes[`SWAP${n}`] = 0x8f + n;
}

const byteLength = (hex: Hex) => (hex.length - 2) / 2;
const push2 = (value: number) => `0x${value.toString(16).padStart(4, '0')}`;
const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');

/**
 * Assembles: a mnemonic is its opcode, `0x...` is pushed, `@name` pushes a label's place in two bytes,
 * `name:` is that place (a JUMPDEST). What follows `;` on a line is a comment.
 */
export function assemble(source: string): Hex {
  const words = source
    .split('\n')
    .flatMap((line) => (line.split(';')[0] as string).split(/\s+/))
    .filter((word) => word !== '');
  const places = new Map<string, number>();
  let at = 0;
  for (const word of words) {
    if (word.endsWith(':')) places.set(word.slice(0, -1), at);
    at += word.startsWith('@') ? 3 : word.startsWith('0x') ? word.length / 2 : 1;
  }
  const code = words.map((word) => {
    if (word.endsWith(':')) return '5b';
    if (word.startsWith('0x')) return `${hexOf(0x5f + word.length / 2 - 1)}${word.slice(2)}`;
    if (word.startsWith('@')) {
      const place = places.get(word.slice(1));
      if (place === undefined) throw new Error(`no label ${word}`);
      return `61${place.toString(16).padStart(4, '0')}`;
    }
    const opcode = opcodes[word];
    if (opcode === undefined) throw new Error(`no opcode ${word}`);
    return hexOf(opcode);
  });
  return `0x${code.join('')}`;
}

/** Init code that runs a prelude and returns the code. */
export function initOf(code: Hex, prelude = ''): Hex {
  const head = (size: number) =>
    assemble(
      `${prelude} ${push2(byteLength(code))} DUP1 ${push2(size)} PUSH0 CODECOPY PUSH0 RETURN`,
    );
  return `${head(byteLength(head(0)))}${code.slice(2)}`;
}
