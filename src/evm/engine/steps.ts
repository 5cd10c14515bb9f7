/** Turns of the event loop between the opcodes of a run. */
import type { Tick } from '../../turns.js';
import type { Packages } from '../call/packages.js';

type Steps = ReturnType<Packages['evm']['getOpcodesForHF']>['opcodeMap'];
type Step = Steps[number];
export type RunState = Parameters<Step['gasHandler']>[0];
type Gas = (...args: Parameters<Step['gasHandler']>) => bigint | Promise<bigint>;

/** Lets a frame find its jump destinations where they are kept. To be told of it before its first jump; otherwise they are found anew. */
export type KeepJumps = (frame: RunState) => void;

/** Bytes of code that run without a jump, which gives a turn: a contract's on a chain with Ethereum's bound (EIP-170). */
export const shortCode = 24_576;

/** Most bytes of code that are run: to find its jump destinations takes some 20 ms, and cannot be done in parts. */
export const maxCode: number = 256 * 1024;

/** JUMPDEST, which is in every loop, TLOAD and TSTORE: slow ones whose gas is fixed. */
const slow = [0x5b, 0x5c, 0x5d];

/** MLOAD, MSTORE and MSTORE8: quick, but for the memory that they let grow. */
const growing = [0x51, 0x52, 0x53];

/** A turn before an opcode. The package awaits the gas anyway: if none is due, that costs no promise. */
function withTurn(step: Step, tick: Tick): Step {
  const { opcodeInfo, gasHandler } = step;
  const fixed = (_: unknown, gas: bigint) => gas;
  const price = (opcodeInfo.dynamicGas ? gasHandler : fixed) as Gas;
  const taking: Gas = (state, gas, chain) => {
    const turn = tick();
    return turn ? turn.then(() => price(state, gas, chain)) : price(state, gas, chain);
  };
  return {
    ...step,
    opcodeInfo: opcodeInfo.dynamicGas ? opcodeInfo : { ...opcodeInfo, dynamicGas: true },
    gasHandler: taking as typeof gasHandler,
  };
}

/** A turn if memory has grown. Compilers begin code with such an opcode, before its first jump. */
function withTurnOfGrowth(step: Step, tick: Tick, keepJumps: KeepJumps): Step {
  const { gasHandler } = step;
  const taking: Gas = (state, gas, chain) => {
    keepJumps(state);
    const { memoryWordCount } = state;
    const price = (gasHandler as Gas)(state, gas, chain);
    const turn = state.memoryWordCount === memoryWordCount ? undefined : tick();
    return turn ? turn.then(() => price) : price;
  };
  return { ...step, gasHandler: taking as typeof gasHandler };
}

/**
 * Opcodes with a turn before those that may take long: the ones whose gas follows from their operands copy, hash, read or
 * let memory grow. Code that is not short has one before every opcode.
 */
export const withTurns = (
  steps: Steps,
  tick: Tick,
  keepJumps: KeepJumps,
): { short: Steps; long: Steps } => ({
  short: steps.map((step, opcode) => {
    if (growing.includes(opcode)) return withTurnOfGrowth(step, tick, keepJumps);
    return step.opcodeInfo.dynamicGas || slow.includes(opcode) ? withTurn(step, tick) : step;
  }),
  long: steps.map((step) => withTurn(step, tick)),
});
