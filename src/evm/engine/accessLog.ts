/** The accounts and slots that a call accesses by opcodes, as nodes list them. */
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import type { AccessEntry } from '../call/call.js';

/** The values that an opcode finds. */
interface Seen {
  readonly stack: { peek(count: number): bigint[] };
  readonly interpreter: { getAddress(): { readonly bytes: Uint8Array } };
}

export interface AccessLog {
  /** Begins a run, with the list that comes with the call. */
  begin(list: readonly AccessEntry[]): void;
  /** To be called before an opcode of `accessing` runs. */
  note(opcode: number, state: Seen): void;
  /** @param isFree whether accessing the account costs nothing; it is then listed for its slots alone */
  entries(isFree: (address: Hex) => boolean): AccessEntry[];
}

const sload = 0x54;
const sstore = 0x55;

/** Opcodes that access an account, and at which place of the stack they name it. */
const places = new Map([
  // BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT
  ...[0x31, 0x3b, 0x3c, 0x3f, 0xff].map((opcode) => [opcode, 0] as const),
  // CALL, CALLCODE, DELEGATECALL, STATICCALL
  ...[0xf1, 0xf2, 0xf4, 0xfa].map((opcode) => [opcode, 1] as const),
]);

export const accessing: readonly number[] = [sload, sstore, ...places.keys()];

/** The last 20 bytes of a word. */
export const wordToAddress = (word: bigint): Hex =>
  encodeHex(integerToBytes(BigInt.asUintN(160, word), 20));

/**
 * The package keeps a list, too, but that also has the contracts that a run creates, and the code that delegations
 * (EIP-7702) name: nodes list neither.
 */
export function createAccessLog(): AccessLog {
  let log = new Map<Hex, Set<Hex>>();
  function slotsOf(address: Hex): Set<Hex> {
    const slots = log.get(address) ?? new Set();
    log.set(address, slots);
    return slots;
  }
  return {
    begin(list) {
      log = new Map();
      for (const { address, storageKeys } of list) {
        const slots = slotsOf(address);
        for (const key of storageKeys) slots.add(key);
      }
    },
    note(opcode, { stack, interpreter }) {
      const place = places.get(opcode);
      const word = stack.peek((place ?? 0) + 1)[place ?? 0] as bigint;
      if (place !== undefined) slotsOf(wordToAddress(word));
      else
        slotsOf(encodeHex(interpreter.getAddress().bytes)).add(encodeHex(integerToBytes(word, 32)));
    },
    entries: (isFree) =>
      [...log]
        .map(([address, slots]) => ({ address, storageKeys: [...slots] }))
        .filter(({ address, storageKeys }) => storageKeys.length > 0 || !isFree(address)),
  };
}
