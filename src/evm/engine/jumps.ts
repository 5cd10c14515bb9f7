/** Where code may jump to, which the package would find anew for each frame that runs it. */
import type { KeepJumps, RunState } from './steps.js';

type JumpTable = ReturnType<RunState['interpreter']['_getValidJumpDestinations']>;

/** A table has the steps of an engine, which is why each engine keeps its own. */
export function createJumpTables(): KeepJumps {
  // By the bytes themselves: nobody changes them, and they are let go of with the code.
  const tables = new WeakMap<Uint8Array, JumpTable>();
  return ({ shouldDoJumpAnalysis, interpreter }) => {
    // Once for each frame: code may well have thousands of such opcodes before its first jump.
    if (!shouldDoJumpAnalysis || Object.hasOwn(interpreter, '_getValidJumpDestinations')) return;
    const find = interpreter._getValidJumpDestinations;
    interpreter._getValidJumpDestinations = (code) => {
      const known = tables.get(code);
      if (known !== undefined) return known;
      const table = find.call(interpreter, code);
      tables.set(code, table);
      return table;
    };
  };
}
