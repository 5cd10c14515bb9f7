/** Runs calls until nothing is missing: each round reads what the run before it did not know. */
import { createTurns } from '../turns.js';
import type { Call, CallOutcome, Environment, Overrides } from './call/call.js';
import { EvmError } from './call/errors.js';
import { checkRules } from './call/fork.js';
import { checkPrototype, loadPackages } from './call/packages.js';
import { createCallRunner } from './engine/callRunner.js';
import { hashOverrides } from './state/base.js';
import { createBudget, type WorkLimits, workLimits } from './state/budget.js';
import { KnownState, type ReadBounds, readBounds } from './state/knownState.js';
import type { AccountQuestion, StateSource } from './state/source.js';

export interface SessionOptions {
  /** All calls of a session read this one state. */
  readonly source: StateSource;
  readonly environment: Environment;
  readonly overrides?: Overrides | undefined;
  /**
   * A hint on what a call will read. It is not trusted: what it names is read from the source, and what it does not
   * name is found by running.
   */
  readonly hint?: ((call: Call) => Promise<readonly AccountQuestion[]>) | undefined;
  /** Whether outcomes name what was accessed; default false. */
  readonly reportsAccess?: boolean | undefined;
  readonly limits?: ReadBounds | undefined;
  /** Of all calls of the session together; it begins now. To hold several calls to one budget, make them in one session. */
  readonly work?: WorkLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Session {
  /** @throws EvmError, the signal's reason, and any error of the source */
  execute(call: Call): Promise<CallOutcome>;
}

/** Runs of one call. A linked list that no hint knows takes one for each link. */
const maxRounds = 256;

/** Bounds on a hint: a false one costs useless work. */
const hintLimits = { accounts: 128, slots: 1024 };

function bounded(hint: readonly AccountQuestion[]): AccountQuestion[] {
  let left = hintLimits.slots;
  return hint.slice(0, hintLimits.accounts).map(({ address, storageKeys }) => {
    const taken = storageKeys.slice(0, left);
    left -= taken.length;
    return { address, storageKeys: taken };
  });
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { source, environment, overrides = new Map(), signal } = options;
  const { limits = readBounds, work = workLimits, reportsAccess = false } = options;
  let { hint } = options;
  signal?.throwIfAborted();
  // The package would run any fork whose name it knows, and some by drafts.
  checkRules(environment.fork);
  const packages = await loadPackages();
  const budget = createBudget(work, signal);
  const turns = createTurns(budget.check);
  const hashed = await hashOverrides(overrides, turns.tick);
  const knowledge = new KnownState({ source, overrides: hashed, limits, budget });
  const needs = { packages, environment, overrides, knowledge, turns, budget, reportsAccess };
  const runner = createCallRunner(needs);

  /** Reads what is missing, with what the hint names beside it. */
  async function learn(call: Call, round: number): Promise<void> {
    // The code of the call is fetched while the hint is on its way.
    if (call.to !== undefined && call.data.length > 0 && !knowledge.knows(call.to)) {
      source.expectCode?.(call.to);
    }
    // If only slots are missing, one round may do without.
    const ask = knowledge.isCold || round > 0 ? hint : undefined;
    if (!ask) return knowledge.learn(signal);
    hint = undefined;
    const named = bounded(await ask(call));
    await knowledge.learn(signal, named);
  }

  return {
    async execute(call) {
      for (let round = 0; round < maxRounds; round++) {
        checkPrototype();
        const outcome = await runner.run(call);
        if (knowledge.isComplete) {
          knowledge.checkLimits();
          if (runner.refusal) throw runner.refusal;
          return outcome as CallOutcome;
        }
        await budget.within(learn(call, round));
      }
      const text = `after ${maxRounds} rounds the call still reads what it did not read before`;
      throw new EvmError('TOO_MANY_ROUNDS', text);
    },
  };
}
