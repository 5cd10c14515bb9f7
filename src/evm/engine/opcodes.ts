/** Opcodes that do more here than in the package. */

import type { EVMOpts } from '@ethereumjs/evm';
import type { Address } from '@ethereumjs/util';
import { bytesToInteger, type Hex, integerToBytes } from '../../bytes.js';
import type { Tick } from '../../turns.js';
import { lesser } from '../call/gas.js';
import { hashedAtOnce, hashInParts } from '../call/hashes.js';
import type { Packages } from '../call/packages.js';
import type { OpcodeHeader } from '../state/header.js';
import { type AccessLog, accessing, wordToAddress } from './accessLog.js';

type Library = Packages['evm'];
type Common = Parameters<Library['getOpcodesForHF']>[0];
type CustomOpcodes = NonNullable<EVMOpts['customOpcodes']>;
type Handlers = ReturnType<Library['getOpcodesForHF']>['handlers'];
type Handler = NonNullable<ReturnType<Handlers['get']>>;
type RunState = Parameters<Handler>[0];
type GasHandlers = ReturnType<Library['getOpcodesForHF']>['dynamicGasHandlers'];
type GasFunction = ReturnType<GasHandlers['get']>;

const keccak = 0x20;
const balance = 0x31;
const gasPrice = 0x3a;
const selfBalance = 0x47;
const create2 = 0xf5;

/** Opcodes that copy what is behind its end as zeros. The package pads byte by byte: a megabyte takes some 100 ms. */
const copies: readonly (readonly [opcode: number, source: (state: RunState) => Uint8Array])[] = [
  [0x37, ({ interpreter }) => interpreter.getCallData()],
  [0x39, ({ interpreter }) => interpreter.getCode()],
];
const copyOther = 0x3c;

/** Copies to memory, with zeros behind the end of the bytes. */
function copy({ stack, memory }: RunState, bytes: Uint8Array): void {
  const [to, from, length] = stack.popN(3) as [bigint, bigint, bigint];
  if (length === 0n) return;
  const padded = new Uint8Array(Number(length));
  const start = Number(lesser(from, BigInt(bytes.length)));
  padded.set(bytes.subarray(start, start + padded.length));
  memory.write(Number(to), padded.length, padded);
}

interface OpcodeOptions {
  readonly header: OpcodeHeader;
  readonly toAddress: (bytes: Uint8Array) => Address;
  readonly tick: Tick;
  /** Refuses if the address is the sender's, and what it has left is not known. @throws RunStopped */
  readonly checkFunds: (address: Hex) => void;
  /** Refuses init code of so many bytes if it is too long to be run. @throws RunStopped */
  readonly checkInitCode: (length: bigint) => void;
  /** undefined if accesses are not reported. */
  readonly accessLog: AccessLog | undefined;
}

export function customOpcodes(
  library: Library,
  common: Common,
  { header, toAddress, tick, checkFunds, checkInitCode, accessLog }: OpcodeOptions,
): CustomOpcodes {
  const { opcodes, handlers, dynamicGasHandlers } = library.getOpcodesForHF(common);

  /** The gas function of an opcode, which is the first that sees its stack. */
  function noting(opcode: number, gasFunction: GasFunction): GasFunction {
    if (!gasFunction || !accessLog || !accessing.includes(opcode)) return gasFunction;
    return (state: RunState, gas: bigint, chain: Common) => {
      accessLog.note(opcode, state);
      return gasFunction(state, gas, chain) as bigint;
    };
  }

  async function hash({ stack, memory }: RunState): Promise<void> {
    const [offset, length] = stack.popN(2) as [bigint, bigint];
    const data = memory.read(Number(offset), Number(length), true);
    stack.push(bytesToInteger(await hashInParts('keccak_256', data, tick)));
  }

  const keccakHandler = handlers.get(keccak) as Handler;
  const hashing: Handler = (state, chain) => {
    const [, length] = state.stack.peek(2) as [bigint, bigint];
    return length > hashedAtOnce ? hash(state) : keccakHandler(state, chain);
  };

  const copyCode: Handler = async (state) => {
    const [word] = state.stack.popN(1) as [bigint];
    const address = toAddress(integerToBytes(BigInt.asUintN(160, word), 20));
    copy(state, await state.stateManager.getCode(address));
  };

  /** An opcode with something done before. */
  function after(
    opcode: number,
    before: (state: RunState) => void,
    handler = handlers.get(opcode),
  ) {
    const { name, fee } = opcodes.get(opcode) as NonNullable<ReturnType<typeof opcodes.get>>;
    const run = handler as Handler;
    const gasFunction = noting(opcode, dynamicGasHandlers.get(opcode));
    return {
      opcode,
      opcodeName: name,
      baseFee: fee,
      ...(gasFunction && { gasFunction }),
      logicFunction(state: RunState, chain: Common) {
        before(state);
        return run(state, chain);
      },
    };
  }

  const own = [balance, copyOther];
  const others = accessLog ? accessing.filter((opcode) => !own.includes(opcode)) : [];
  const noAction = () => {};
  return [
    ...others.map((opcode) => after(opcode, noAction)),
    ...copies.map(([opcode, source]) => after(opcode, noAction, (at) => copy(at, source(at)))),
    after(copyOther, noAction, copyCode),
    after(keccak, noAction, hashing),
    after(gasPrice, () => void header.gasPrice()),
    after(balance, ({ stack }) => checkFunds(wordToAddress((stack.peek(1) as [bigint])[0]))),
    after(selfBalance, ({ interpreter }) => checkFunds(interpreter.getAddress().toString())),
    // The address is a hash of the init code, which the package makes at once.
    after(create2, ({ stack }) => checkInitCode((stack.peek(3) as [bigint, bigint, bigint])[2])),
  ];
}
