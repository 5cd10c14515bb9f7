/** Turns of the event loop between the opcodes of a run. */
import type { Packages } from '../call/packages.js';

type Steps = ReturnType<Packages['evm']['getOpcodesForHF']>['opcodeMap'];
type Step = Steps[number];

/** Bytes of code that run without a jump, which gives a turn: a contract's on a chain with Ethereum's bound (EIP-170). */
export const shortCode = 24_576;

/** Most bytes of code that are run: to find its jump destinations takes some 20 ms, and cannot be done in parts. */
export const maxCode: number = 256 * 1024;

/** JUMPDEST, which is in every loop, TLOAD and TSTORE: slow ones whose gas is fixed. */
const slow = [0x5b, 0x5c, 0x5d];

function withTurn(step: Step, tick: () => Promise<void> | undefined): Step {
  const { opcodeInfo, gasHandler } = step;
  const { dynamicGas } = opcodeInfo;
  return {
    ...step,
    opcodeInfo: { ...opcodeInfo, dynamicGas: true },
    // The package awaits the gas anyway: where no turn is due, none costs a promise.
    gasHandler: ((state, gas, chain) => {
      const price = () => (dynamicGas ? gasHandler(state, gas, chain) : gas);
      const turn = tick();
      return turn ? turn.then(price) : price();
    }) as typeof gasHandler,
  };
}

/**
 * Opcodes with a turn before those that may take long: the ones whose gas follows from their operands copy, hash, read or
 * let memory grow. Code that is not short has one before every opcode.
 */
export const withTurns = (
  steps: Steps,
  tick: () => Promise<void> | undefined,
): { short: Steps; long: Steps } => ({
  short: steps.map((step, opcode) =>
    step.opcodeInfo.dynamicGas || slow.includes(opcode) ? withTurn(step, tick) : step,
  ),
  long: steps.map((step) => withTurn(step, tick)),
});
