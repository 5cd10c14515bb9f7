/** A function of a contract, run here on proven state. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import type { Explained, Provider, ProviderError } from '../../provider/index.js';
import type { AbiError, AbiFunction } from '../format/abi.js';
import { ArgumentError, parseArgument } from '../format/arguments.js';
import { encodeCall, type Reason, type Shown, showReason, showValues } from '../format/values.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

interface Asked {
  /** The contract. */
  readonly address: Hex;
  readonly item: AbiFunction;
  /** A text for each input. */
  readonly args: readonly string[];
  /** Errors that the contract may revert with. */
  readonly errors: readonly AbiError[];
}

/** What a run rests on. */
interface Rests {
  readonly anchor: AnchoredRoot;
  readonly assumed: readonly string[];
  readonly restsOn: 'operator' | undefined;
}

interface Ended extends Rests {
  /** What was sent. */
  readonly input: Hex;
  /** The rules that the settings name. */
  readonly fork: string | undefined;
}

export type CallAnswer =
  /** The text of an input is no value of its type. */
  | { readonly kind: 'argument'; readonly index: number; readonly problem: string }
  /** `values` is undefined if the data is not of the form that the ABI says. */
  | (Ended & {
      readonly kind: 'returned';
      readonly data: Hex;
      readonly values: readonly Shown[] | undefined;
    })
  | (Ended & {
      readonly kind: 'reverted';
      readonly data: Hex;
      readonly reason: Reason | undefined;
    })
  /** The EVM has ended it: it had no gas left, for example. */
  | (Ended & { readonly kind: 'ended'; readonly text: string });

/** Values for all inputs, or the first that is wrong. */
function readArguments({ item, args }: Asked) {
  const values: unknown[] = [];
  for (const [index, input] of item.inputs.entries()) {
    try {
      values.push(parseArgument(input, args[index] ?? ''));
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      return { kind: 'argument', index, problem: error.message } as const;
    }
  }
  return { kind: 'values', values } as const;
}

const restsOf = ({ anchor, assumed, restsOn }: Explained): Rests => ({
  anchor: anchor as AnchoredRoot,
  assumed,
  restsOn,
});

type Outcome = Rests &
  (
    | { readonly kind: 'returned' | 'reverted'; readonly data: Hex }
    | { readonly kind: 'ended'; readonly text: string }
  );

/**
 * Runs a call. An error says nothing of what the run has read besides the state: that is asked by the same run once more, as
 * an access list.
 */
async function run(provider: Provider, call: object, signal: AbortSignal): Promise<Outcome> {
  const params = [call, 'latest'];
  for (;;) {
    const { stateRoot } = await provider.anchor();
    try {
      const told = await provider.explain({ method: 'eth_call', params, signal });
      return { kind: 'returned', data: told.result as Hex, ...restsOf(told) };
    } catch (error) {
      signal.throwIfAborted();
      const { code, data, message } = error as ProviderError;
      const isEnd = (data as { reason?: unknown } | undefined)?.reason === 'EXECUTION';
      if (code !== 3 && !isEnd) throw error;
      const method = 'eth_createAccessList';
      const rests = restsOf(await provider.explain({ method, params, signal }));
      if (rests.anchor.stateRoot !== stateRoot) continue;
      return code === 3
        ? { kind: 'reverted', data: data as unknown as Hex, ...rests }
        : { kind: 'ended', text: message, ...rests };
    }
  }
}

export async function answerCall(
  session: Session,
  asked: Asked,
  { signal, say }: Means,
): Promise<CallAnswer> {
  const { address, item, errors } = asked;
  const read = readArguments(asked);
  if (read.kind === 'argument') return read;
  const input = encodeCall(item, read.values);
  say('Loading the machine that runs contracts');
  const provider = await session.provider();
  const { l2BlockNumber } = await provider.anchor();
  say(`Running it here, on the proven state of L2 block ${l2BlockNumber}`);
  const outcome = await run(provider, { to: address, data: input }, signal);
  const ended = { ...outcome, input, fork: session.settings.fork };
  if (ended.kind === 'ended') return ended;
  if (ended.kind === 'reverted') {
    return { ...ended, kind: ended.kind, reason: showReason(errors, ended.data) };
  }
  return { ...ended, kind: ended.kind, values: showValues(item.outputs, ended.data) };
}
