/** Engines at rest, which the next runs of their rules take. */
import type { Hex } from '../../bytes.js';
import type { Overrides } from '../call/call.js';
import type { Packages } from '../call/packages.js';
import { createEngine, type Engine, type EngineRules } from './engine.js';

/** Bounds on what is kept: rules, and engines for each. One takes some hundred kB. */
const most = { rules: 8, engines: 4 };

const resting = new Map<string, Engine[]>();

/** The engines that rest for some rules; the rules that were asked for longest ago make place. */
function restingFor({ chainId, fork, reportsAccess }: EngineRules): Engine[] {
  const key = `${chainId} ${fork} ${reportsAccess}`;
  const engines = resting.get(key) ?? [];
  resting.delete(key);
  resting.set(key, engines);
  const [oldest] = resting.keys();
  if (resting.size > most.rules) resting.delete(oldest as string);
  return engines;
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
  const isOwn = [...overrides.keys()].some(mayBePrecompile);
  const engine =
    (isOwn ? undefined : restingFor(rules).pop()) ?? createEngine(packages, rules, overrides);
  let isWhole = false;
  try {
    const result = await work(engine);
    isWhole = true;
    return result;
  } finally {
    engine.end();
    const engines = isOwn || !isWhole ? undefined : restingFor(rules);
    if (engines && engines.length < most.engines) engines.push(engine);
  }
}
