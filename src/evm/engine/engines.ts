/** Engines at rest, which the next runs of their rules take. */
import type { Hex } from '../../bytes.js';
import type { Overrides } from '../call/call.js';
import type { Packages } from '../call/packages.js';
import { createEngine, type Engine, type EngineRules } from './engine.js';

/** Most engines that are kept, as many as calls of a page or a proxy run beside each other. One takes some hundred kB. */
const mostKept = 16;

/** Engines and what they are made for, those that served last at the end. */
const resting: { readonly key: string; readonly engine: Engine }[] = [];

const keyOf = ({ chainId, fork, reportsAccess }: EngineRules): string =>
  `${chainId} ${fork} ${reportsAccess}`;

function takeResting(key: string): Engine | undefined {
  const at = resting.findIndex((one) => one.key === key);
  return at < 0 ? undefined : resting.splice(at, 1)[0]?.engine;
}

/** The addresses of precompiled contracts end with two bytes; whatever else is overridden, any engine runs it. */
const mayBePrecompile = (address: Hex): boolean => /^0x0{36}/.test(address);

/**
 * Does work with an engine that serves nobody else meanwhile. One whose work has failed, or that lacks what was overridden,
 * is not used again.
 */
export async function withEngine<T>(
  packages: Packages,
  { rules, overrides }: { rules: EngineRules; overrides: Overrides },
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const key = [...overrides.keys()].some(mayBePrecompile) ? undefined : keyOf(rules);
  const known = key === undefined ? undefined : takeResting(key);
  const engine = known ?? createEngine(packages, rules, overrides);
  let isWhole = false;
  try {
    const result = await work(engine);
    isWhole = true;
    return result;
  } finally {
    engine.end();
    if (isWhole && key !== undefined) resting.push({ key, engine });
    if (resting.length > mostKept) resting.shift();
  }
}
