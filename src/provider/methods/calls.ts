/** `eth_call`, `eth_estimateGas` and `eth_createAccessList`: contracts run here, on proven state. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import { encodeHex, type Hex } from '../../bytes.js';
import {
  type Call,
  type CallOutcome,
  type Environment,
  type HeaderName,
  type HeaderValues,
  headerValues,
  type Overrides,
} from '../../evm/call/call.js';
import { rulesOf } from '../../evm/call/fork.js';
import { lesser, maxTransactionGas } from '../../evm/call/gas.js';
import type { Session } from '../../evm/index.js';
import { workLimits } from '../../evm/state/budget.js';
import { toQuantity } from '../../foreign/values.js';
import type { CallFork } from '../../forks.js';
import type { BlockHeader } from '../../history/verify/types.js';
import { isHeader } from '../../proven/index.js';
import { type CallParams, readBlockOverrides, readCallParam } from '../params/callParams.js';
import { ProviderError, type RevertData } from '../params/errors.js';
import { readOverrides } from '../params/overrides.js';
import type { Params } from '../params/params.js';
import { toStateSource } from '../state/stateSource.js';
import type { View } from '../state/view.js';
import type { Means, ProvenAnswer, ProvenMethod } from './methods.js';

interface CallOptions {
  readonly network: Network;
  /** Values of the block's header that the caller supplies. */
  readonly header: HeaderValues;
  /** The rules that the caller names for blocks whose time is not proven. */
  readonly fork: CallFork | undefined;
  /** Most gas of a run. */
  readonly gasCap: bigint;
  /** Most ms of a call, over all its runs. */
  readonly callTimeout: number;
}

/** Runs of full gas that all rounds of a call come to at most: an estimate halves its range some 25 times. */
const roundsOfGas = 10n;

/** A request that runs something. */
interface Request {
  readonly method: string;
  readonly params: CallParams;
  readonly overrides: Overrides;
  /** As the caller gave them. */
  readonly givenOverrides: unknown;
  readonly blockOverrides: HeaderValues;
}

/** A run that can begin. */
interface Run {
  readonly session: Session;
  readonly call: Call;
  readonly fork: CallFork;
  readonly overrides: Overrides;
  readonly view: View;
  /** Names the fork if its choice rests on something that is not proven. */
  readonly assumed: readonly string[];
  /** Whether the block's header is proven, by the hashes of blocks in a later state. */
  readonly hasHeader: boolean;
}

/** The values of a proven header that contracts see. */
function provenValues(header: BlockHeader): HeaderValues {
  const amount = (value: Hex | undefined) => (value === undefined ? undefined : BigInt(value));
  const { timestamp, gasLimit, baseFeePerGas, excessBlobGas, difficulty, miner, mixHash } = header;
  // Before, the fee recipient was who sealed the block (Clique), and the header names nobody.
  const isMerged = BigInt(difficulty) === 0n;
  return {
    timestamp: amount(timestamp),
    gasLimit: amount(gasLimit),
    baseFee: amount(baseFeePerGas),
    // Of any other excess the price follows from a schedule that no header holds.
    ...(amount(excessBlobGas) === 0n && { blobBaseFee: 1n }),
    ...(isMerged && { coinbase: miner, prevRandao: mixHash }),
  };
}

/** @throws EvmError `FORK` or `FORK_UNKNOWN` */
function environmentOf(
  anchor: AnchoredRoot,
  { network, header: own, fork }: CallOptions,
  { blockOverrides, header }: { blockOverrides: HeaderValues; header: BlockHeader | undefined },
): { environment: Environment; isForkAssumed: boolean } {
  const known: HeaderValues = header ? provenValues(header) : {};
  const { timestamp: value } = known;
  const block = value === undefined ? anchor : { ...anchor, timestamp: { value, proven: true } };
  const words = { fork, timestamp: own.timestamp };
  const rules = rulesOf(block, network.forks, words);
  // A value that is proven comes before the one that the caller supplies for all calls.
  const proven = headerValues(known, { timestamp: rules.proven });
  const unproven = Object.entries({ ...own, timestamp: rules.claimed }).filter(
    ([name]) => proven[name as HeaderName] === undefined,
  );
  const environment: Environment = {
    chainId: network.l2ChainId,
    fork: rules.fork,
    number: anchor.l2BlockNumber,
    proven,
    assumed: headerValues(Object.fromEntries(unproven), blockOverrides),
  };
  return { environment, isForkAssumed: rules.isAssumed };
}

function failure(method: string, { kind, output, reason }: CallOutcome, block: number): Error {
  if (kind === 'revert') {
    return new ProviderError<RevertData>(3, reasonOf(output), { data: encodeHex(output) });
  }
  const data = { reason: 'EXECUTION', path: undefined, block } as const;
  return new ProviderError(-32000, `${method}: ${reason}`, { data });
}

/** The text of `Error(string)`, which the contract has chosen. */
function reasonOf(output: Uint8Array): string {
  const isError = output.length >= 68 && encodeHex(output.subarray(0, 4)) === '0x08c379a0';
  if (!isError) return 'execution reverted';
  const length = BigInt(encodeHex(output.subarray(36, 68)));
  const end = 68 + Number(length < maxReason ? length : maxReason);
  const text = new TextDecoder().decode(output.subarray(68, end));
  return `execution reverted: ${text.replaceAll(/\p{C}/gu, ' ')}`;
}

/** Bytes of a reason that are shown. */
const maxReason = 200n;

/** The call's price for gas, as far as it is known without the base fee. */
function pricesOf(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: CallParams,
  { assumed, proven }: Environment,
): Pick<Call, 'gasPrice' | 'maxGasPrice'> {
  if (gasPrice !== undefined) return { gasPrice, maxGasPrice: gasPrice };
  const maxGasPrice = maxFeePerGas ?? maxPriorityFeePerGas ?? 0n;
  if (maxGasPrice === 0n) return { gasPrice: 0n, maxGasPrice };
  const baseFee = assumed.baseFee ?? proven.baseFee;
  if (baseFee === undefined) return { gasPrice: undefined, maxGasPrice };
  const offered = baseFee + (maxPriorityFeePerGas ?? 0n);
  return { gasPrice: lesser(offered, maxGasPrice), maxGasPrice };
}

function readRequest(
  method: string,
  params: Params,
  { chainId, hasBlockOverrides }: { chainId: number; hasBlockOverrides: boolean },
): Request {
  const [call, , givenOverrides, givenBlock] = params;
  return {
    method,
    params: readCallParam(call, 'params[0]', chainId),
    overrides: readOverrides(givenOverrides, 'params[2]'),
    givenOverrides: givenOverrides ?? undefined,
    blockOverrides: hasBlockOverrides ? readBlockOverrides(givenBlock, 'params[3]') : {},
  };
}

/** How many blocks before its own a contract can ask the hash of. */
const hashesOfCall = 256;

/** Makes a method of what is done with a run. */
function methodOf(
  method: string,
  options: CallOptions,
  {
    reportsAccess = false,
    answer,
  }: { reportsAccess?: boolean; answer: (run: Run, method: string) => Promise<ProvenAnswer> },
): [string, ProvenMethod<ProvenAnswer>] {
  const { network, gasCap, callTimeout } = options;

  async function begin(
    { params, overrides, givenOverrides, blockOverrides }: Request,
    view: View,
    { means, signal }: { means: Means; signal: AbortSignal },
  ): Promise<Run> {
    const { anchor } = view;
    const { codes, hints } = means;
    const header = await means.header();
    const about = { blockOverrides, header };
    const { environment, isForkAssumed } = environmentOf(anchor, options, about);
    const { gas = gasCap } = params;
    const call: Call = { ...params, ...pricesOf(params, environment), gas: lesser(gas, gasCap) };
    // Loaded with the first call: most users make none.
    const { openSession } = await import('../../evm/index.js');
    const session = await openSession({
      source: toStateSource(view, codes),
      environment,
      overrides,
      hint: (asked) => hints.of(asked, anchor.l2BlockNumber, givenOverrides),
      reportsAccess,
      work: { ...workLimits, gas: roundsOfGas * gasCap, time: callTimeout },
      signal,
    });
    const { fork } = environment;
    const assumed = isForkAssumed ? ['fork'] : [];
    return { session, call, fork, overrides, view, assumed, hasHeader: header !== undefined };
  }

  /**
   * The operator's word on hashes of blocks is as good as that on the header, which the answer hangs on anyway. Of a header that
   * L1 has the hash of nothing is the operator's, and of these hashes those alone that are from before.
   */
  async function withBlockHashes(
    { result, assumed }: ProvenAnswer,
    { anchor }: View,
    { history }: Means,
  ): Promise<ProvenAnswer> {
    const proven = assumed.filter((name) => name !== 'blockHash');
    const oldest = Math.max(0, anchor.l2BlockNumber - hashesOfCall);
    const isBound =
      proven.length === assumed.length ||
      (await history(({ view, work }) => view.isBound(oldest, work)));
    return { result, assumed: proven, isOnBlockHashes: !(isHeader(anchor) && isBound) };
  }

  const most = reportsAccess ? 3 : 4;
  const proven: ProvenMethod<ProvenAnswer> = {
    params: most,
    block: 1,
    read(given) {
      const about = { chainId: network.l2ChainId, hasBlockOverrides: most > 3 };
      const request = readRequest(method, given, about);
      return (view, means) =>
        means.lifetime.run(async (signal) => {
          const run = await begin(request, view, { means, signal });
          const told = await answer(run, method);
          return run.hasHeader ? withBlockHashes(told, view, means) : told;
        }, means.signal);
    },
  };
  return [method, proven];
}

const together = (...names: (readonly string[])[]): string[] => [...new Set(names.flat())].sort();

async function call({ session, call, view, assumed }: Run, method: string): Promise<ProvenAnswer> {
  const outcome = await session.execute(call);
  if (outcome.kind !== 'success') throw failure(method, outcome, view.anchor.l2BlockNumber);
  return { result: encodeHex(outcome.output), assumed: together(assumed, outcome.assumed) };
}

/** Most gas that a transaction may have, and that the sender can pay for if it names a price. A mere call may have more. */
async function allowanceOf({ call, fork, view, overrides }: Run): Promise<bigint> {
  const { from, value, maxGasPrice } = call;
  const gas = lesser(call.gas, maxTransactionGas(fork) ?? call.gas);
  if (maxGasPrice === 0n) return gas;
  const own = overrides.get(from)?.balance;
  const balance = own ?? (await view.read(from)).account?.balance ?? 0n;
  // The run says it if not even the value is there.
  if (balance < value) return gas;
  return lesser((balance - value) / maxGasPrice, gas);
}

async function estimate(run: Run, method: string): Promise<ProvenAnswer> {
  const { session, view, assumed } = run;
  const { estimateGas } = await import('../../evm/index.js');
  const limit = await allowanceOf(run);
  const { gas, outcome, assumed: read } = await estimateGas(session, { ...run.call, gas: limit });
  if (gas === undefined) {
    const text = `gas required exceeds allowance (${limit})`;
    const told = outcome.isOutOfGas ? { ...outcome, reason: text } : outcome;
    throw failure(method, told, view.anchor.l2BlockNumber);
  }
  return { result: toQuantity(gas), assumed: together(assumed, read) };
}

async function list({ session, call, assumed }: Run): Promise<ProvenAnswer> {
  const { createAccessList } = await import('../../evm/index.js');
  const { accessList, outcome } = await createAccessList(session, call);
  const { kind, reason, gasUsed, assumed: read } = outcome;
  const error = kind === 'success' ? {} : { error: reason ?? 'execution reverted' };
  return {
    result: { accessList, gasUsed: toQuantity(gasUsed), ...error },
    assumed: together(assumed, read),
  };
}

/** The methods that run contracts. */
export const createCallMethods = (options: CallOptions): [string, ProvenMethod<ProvenAnswer>][] => [
  methodOf('eth_call', options, { answer: call }),
  methodOf('eth_estimateGas', options, { answer: estimate }),
  methodOf('eth_createAccessList', options, { answer: list, reportsAccess: true }),
];
