/** Opcodes that do more here than in the package. */
import type { EVMOpts } from '@ethereumjs/evm';
import type { Hex } from '../bytes.js';
import { type AccessLog, accessing, addressOf } from './accessLog.js';
import type { Header } from './header.js';
import type { Packages } from './packages.js';

type Library = Packages['evm'];
type Common = Parameters<Library['getOpcodesForHF']>[0];
type CustomOpcodes = NonNullable<EVMOpts['customOpcodes']>;
type Handlers = ReturnType<Library['getOpcodesForHF']>['handlers'];
type Handler = NonNullable<ReturnType<Handlers['get']>>;
type RunState = Parameters<Handler>[0];
type GasHandlers = ReturnType<Library['getOpcodesForHF']>['dynamicGasHandlers'];
type GasFunction = ReturnType<GasHandlers['get']>;

/** EXP and KECCAK256 may take long, and JUMPDEST is in every loop. Calls have a tick of their own. */
const ticking = [0x0a, 0x20, 0x5b];

const balance = 0x31;
const gasPrice = 0x3a;
const selfBalance = 0x47;

export interface OpcodeOptions {
  readonly header: Header;
  readonly tick: () => Promise<void> | undefined;
  /** Refuses if the address is the sender's, and what it has left is not known. @throws RunStopped */
  readonly checkFunds: (address: Hex) => void;
  /** undefined if accesses are not reported. */
  readonly accessLog: AccessLog | undefined;
}

export function customOpcodes(
  library: Library,
  common: Common,
  { header, tick, checkFunds, accessLog }: OpcodeOptions,
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

  /** An opcode with something done before. */
  function after(opcode: number, before: (state: RunState) => Promise<void> | undefined) {
    const { name, fee } = opcodes.get(opcode) as NonNullable<ReturnType<typeof opcodes.get>>;
    const handler = handlers.get(opcode) as Handler;
    const gasFunction = noting(opcode, dynamicGasHandlers.get(opcode));
    return {
      opcode,
      opcodeName: name,
      baseFee: fee,
      ...(gasFunction && { gasFunction }),
      logicFunction(state: RunState, chain: Common) {
        const turn = before(state);
        return turn ? turn.then(() => handler(state, chain)) : handler(state, chain);
      },
    };
  }

  const others = accessLog ? accessing.filter((opcode) => opcode !== balance) : [];
  return [
    ...others.map((opcode) => after(opcode, () => undefined)),
    ...ticking.map((opcode) => after(opcode, tick)),
    after(gasPrice, () => void header.gasPrice()),
    after(balance, ({ stack }) => void checkFunds(addressOf((stack.peek(1) as [bigint])[0]))),
    after(selfBalance, ({ interpreter }) => void checkFunds(interpreter.getAddress().toString())),
  ];
}
