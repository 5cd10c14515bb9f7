/** A page as it is worked on: one state and one session, so that what was read for an item is there for the next one. */
import { decodeDecimals } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { questions } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { EvmError, openSession, type Session, viewAnswer, viewCall } from '../../evm/index.js';
import { hexToBytes } from '../../foreign/argument.js';
import { createTurns } from '../../turns.js';
import { DataError } from '../wire/errors.js';
import type { Ground } from './ground.js';
import type { PageHistory } from './history.js';
import { openPageState, type PageState } from './pageState.js';
import { notProven } from './tokenCalls.js';

export interface Work {
  readonly state: PageState;
  /** A contract's answer on proven state; undefined if the call fails. @throws DataError, EvmError, ProofError */
  ask(call: AbiCall): Promise<Uint8Array | undefined>;
  /** The blocks that the page proves. @throws DataError */
  history(): Promise<PageHistory>;
  /**
   * Names the fork once a contract ran by rules that nobody named and nothing proves, and the operator once a block was known
   * by its hash in the state.
   */
  readonly assumed: readonly string[];
}

/** @param given `proofs` and `history` as the server gave them @throws DataError */
export async function openWork(
  given: { readonly proofs: unknown; readonly history: unknown },
  { anchor, signal, findRules }: Ground,
): Promise<Work> {
  const turns = createTurns(() => signal?.throwIfAborted());
  const state = await openPageState(given.proofs, anchor, turns);
  const { l2ChainId: chainId, l2BlockNumber: number } = anchor;
  const assumed: string[] = [];
  let history: Promise<PageHistory> | undefined;
  let opening: Promise<Session> | undefined;
  // Of a page without contracts, the rules do not matter.
  async function open(): Promise<Session> {
    await state.openAll();
    const { fork, isAssumed, proven: timestamp } = findRules();
    if (isAssumed) assumed.push('fork');
    const environment = { chainId, fork, number, proven: { timestamp }, assumed: {} };
    return openSession({ source: state.source, environment, signal });
  }
  async function openHistory(): Promise<PageHistory> {
    const { openPageHistory } = await import('./history.js');
    const onHash = () => {
      if (!assumed.includes('operator')) assumed.push('operator');
    };
    return openPageHistory(given.history, { anchor, state, turns, onHash });
  }
  return {
    state,
    assumed,
    // Loaded with the first such item.
    history: () => {
      history ??= openHistory();
      return history;
    },
    async ask({ to, data }) {
      await turns.tick();
      await state.open(to);
      // The engine is loaded with the first call.
      opening ??= open();
      const outcome = await (await opening).execute(viewCall(to, hexToBytes(data)));
      if (outcome.assumed.length > 0) {
        throw notProven(`it depends on unproven values: ${outcome.assumed.join(', ')}`);
      }
      return viewAnswer(outcome);
    },
  };
}

/** Why a call has no result that the state decides: what it would say is not proven. */
const undecided = [
  'HEADER_VALUE',
  'BLOCK_HASH',
  'TOO_MANY_READS',
  'TOO_MANY_ROUNDS',
  'UNSUPPORTED',
];

/** Whether a call that failed says nothing of what is asked. */
export const isUndecided = (error: unknown): boolean =>
  (error instanceof DataError && error.code === 'NOT_VERIFIED') ||
  (error instanceof EvmError && undecided.includes(error.code));

/** A contract's answer if what was proven decides it; else undefined. @throws as `ask` */
export async function askIfProven(
  work: Work,
  call: AbiCall,
): Promise<{ readonly answer: Uint8Array | undefined } | undefined> {
  try {
    return { answer: await work.ask(call) };
  } catch (error) {
    if (isUndecided(error)) return undefined;
    throw error;
  }
}

/** The decimals of a token; null if they are not proven, or no amount could be written with them. @throws as `ask` */
export async function decimalsOf(work: Work, to: Hex): Promise<number | null> {
  const answer = (await askIfProven(work, { to, data: questions.decimals }))?.answer;
  return (answer && decodeDecimals(answer)) ?? null;
}
