/** Runs of a call on the EVM of `@ethereumjs/evm`. */
import type { EVMResult } from '@ethereumjs/evm';
import type { Hex } from '../../bytes.js';
import { hexToBytes } from '../../foreign/argument.js';
import { isSince } from '../../forks.js';
import type { Turns } from '../../turns.js';
import {
  type AccessEntry,
  type Call,
  type CallOutcome,
  type Environment,
  headerValues,
  type Overrides,
} from '../call/call.js';
import { EvmError } from '../call/errors.js';
import { baseGas, greater, maxInitCode, refundOf } from '../call/gas.js';
import type { Packages } from '../call/packages.js';
import { none } from '../state/base.js';
import type { Budget } from '../state/budget.js';
import { createEngineHeader } from '../state/header.js';
import { type KnownState, RunStopped } from '../state/knownState.js';
import type { Engine } from './engine.js';
import { withEngine } from './engines.js';

/** Ticks that a run goes on after something was missing: with a stand-in it may loop, as no complete run would. */
const maxSpeculative = 20_000;

interface CallRunnerOptions {
  readonly packages: Packages;
  readonly environment: Environment;
  readonly overrides: Overrides;
  readonly knowledge: KnownState;
  readonly turns: Turns;
  readonly budget: Budget;
  /** Whether outcomes name what was accessed. */
  readonly reportsAccess: boolean;
}

interface CallRunner {
  /**
   * Runs a call once. The outcome counts only if the knowledge was complete.
   *
   * @returns undefined if the run was stopped
   * @throws EvmError `ENGINE` and any error of a tick
   */
  run(call: Call): Promise<CallOutcome | undefined>;
  /** Why the last run was stopped; undefined if it was not, or because something was missing. */
  readonly refusal: Error | undefined;
}

/** What an engine says of a run. */
interface Ran {
  readonly result: EVMResult['execResult'];
  readonly isPrecompile: boolean;
  readonly accessed: readonly AccessEntry[];
}

/** More than any run comes to. */
function refused(reason: string, isOutOfGas: boolean): CallOutcome {
  return {
    kind: 'refused',
    output: none,
    reason,
    isOutOfGas,
    gasUsed: 0n,
    accessed: [],
    assumed: [],
    everAssumed: [],
  };
}

/** Why a call cannot begin; undefined if it can. */
function obstacleOf(
  { from, to, data, gas, value, maxGasPrice }: Call,
  { fork }: Environment,
  { knowledge, needed }: { knowledge: KnownState; needed: bigint },
): CallOutcome | undefined {
  if (gas < needed) return refused(`intrinsic gas too low: have ${gas}, want ${needed}`, true);
  const most = maxInitCode(fork);
  if (to === undefined && most !== undefined && data.length > most) {
    return refused(`max initcode size exceeded: ${data.length} of ${most} bytes`, false);
  }
  const cost = gas * maxGasPrice + value;
  const sender = cost === 0n ? undefined : knowledge.account(from);
  const balance = sender?.balance ?? 0n;
  if (sender === undefined || balance >= cost) return undefined;
  const text = `insufficient funds for gas * price + value: have ${balance}, want ${cost}`;
  return refused(text, false);
}

/** What an outcome says besides the package's result. */
interface OutcomeParts
  extends ReturnType<typeof baseGas>,
    Pick<CallOutcome, 'accessed' | 'assumed' | 'everAssumed'> {
  readonly isPrecompile: boolean;
}

/** How a run ended, and what it cost. */
function outcomeOf(
  { exceptionError, returnValue, executionGasUsed, gasRefund = 0n }: EVMResult['execResult'],
  { intrinsic, floor, isPrecompile, accessed, assumed, everAssumed }: OutcomeParts,
): CallOutcome {
  const used = intrinsic + executionGasUsed;
  const paid = used - refundOf(used, exceptionError ? 0n : gasRefund);
  // What follows names a place in the code by a hash of the package's own.
  const told = exceptionError?.error.split(' at ')[0];
  // For invalid input the package says so, but no contract has reverted.
  const reason =
    isPrecompile && told === 'revert' ? 'invalid input of a precompiled contract' : told;
  const kind = reason === undefined ? 'success' : reason === 'revert' ? 'revert' : 'halt';
  return {
    kind,
    output: kind === 'halt' ? none : returnValue,
    reason: kind === 'halt' ? reason : undefined,
    isOutOfGas: reason === 'out of gas' || reason === 'code store out of gas',
    gasUsed: greater(paid, floor),
    accessed,
    assumed,
    everAssumed,
  };
}

const engineFailure = (cause: unknown): EvmError =>
  new EvmError('ENGINE', `the EVM package failed: ${(cause as Error).message}`, { cause });

/** Marks the addresses and slots that are warm from the start (EIP-2929, EIP-2930, EIP-3651). */
function warm(
  { from, to, accessList }: Call,
  { proven, assumed, fork }: Environment,
  { evm: { journal }, precompiles }: Engine,
): void {
  const { coinbase } = headerValues(proven, assumed);
  // Precompiled contracts that an override replaces are warm, and free to access, nevertheless.
  const free = [from, ...precompiles];
  if (to !== undefined) free.push(to);
  if (coinbase !== undefined && isSince(fork, 'shanghai')) free.push(coinbase);
  for (const address of free) journal.addAlwaysWarmAddress(address);
  for (const { address, storageKeys } of accessList) {
    journal.addAlwaysWarmAddress(address);
    for (const key of storageKeys) journal.addAlwaysWarmSlot(address, key);
  }
}

export function createCallRunner(options: CallRunnerOptions): CallRunner {
  const { packages, environment, overrides, knowledge, turns, budget, reportsAccess } = options;
  const { Address } = packages.util;
  const { chainId, fork } = environment;
  const rules = { chainId, fork, reportsAccess };
  const toAddress = (bytes: Uint8Array) => new Address(bytes);
  const header = createEngineHeader({ environment, knowledge, toAddress });
  let speculative = 0;
  let call: Call | undefined;
  function tick(): Promise<void> | undefined {
    if (header.refusal) throw new RunStopped();
    if (!knowledge.isComplete) speculative += 1;
    if (speculative > maxSpeculative) throw new RunStopped();
    return turns.tick();
  }
  function checkFunds(address: Hex): void {
    if (address === call?.from && call.maxGasPrice > 0n) header.gasPrice();
  }

  async function runOn(engine: Engine, call: Call, gasLimit: bigint): Promise<Ran> {
    const { evm, overlay, accessLog, precompiles } = engine;
    const { from, to, data, value, gasPrice = 0n, accessList } = call;
    engine.begin({ header, tick, checkFunds });
    overlay.begin(knowledge, { address: from, spent: call.gas * gasPrice });
    accessLog?.begin(accessList);
    warm(call, environment, engine);
    const { execResult, createdAddress } = await evm.runCall({
      caller: toAddress(hexToBytes(from)),
      data,
      value,
      gasPrice,
      gasLimit,
      block: header.block,
      // The overlay has counted it already.
      skipNonceIncrement: true,
      ...(to !== undefined && { to: toAddress(hexToBytes(to)) }),
    });
    const created = createdAddress?.toString() as Hex;
    const free = new Set([from, to ?? created, ...precompiles]);
    return {
      result: execResult,
      isPrecompile: to !== undefined && evm.getPrecompile(to) !== undefined,
      accessed: accessLog?.entries((address) => free.has(address)) ?? [],
    };
  }

  async function execute(call: Call): Promise<CallOutcome> {
    const { intrinsic, floor } = baseGas(call, fork);
    const needed = greater(intrinsic, floor);
    const obstacle = obstacleOf(call, environment, { knowledge, needed });
    if (obstacle) return obstacle;
    const { result, isPrecompile, accessed } = await withEngine(
      packages,
      { rules, overrides },
      (engine) => runOn(engine, call, call.gas - intrinsic),
    );
    const assumed = [...header.assumed].sort();
    const everAssumed = [...header.everAssumed].sort();
    const parts = { intrinsic, floor, isPrecompile, accessed, assumed, everAssumed };
    return outcomeOf(result, parts);
  }

  return {
    get refusal() {
      return header.refusal;
    },
    async run(asked) {
      call = asked;
      knowledge.begin();
      header.begin(asked.gasPrice);
      speculative = 0;
      let outcome: CallOutcome | undefined;
      try {
        budget.check();
        outcome = await execute(asked);
      } catch (error) {
        budget.check();
        if (!(error instanceof RunStopped) && knowledge.isComplete) throw engineFailure(error);
      }
      // How far a run came that was stopped is not known.
      budget.spendGas(outcome?.gasUsed ?? asked.gas);
      return header.refusal ? undefined : outcome;
    },
  };
}
