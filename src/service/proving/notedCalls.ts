/** Calls on the service's own state, with what each has read: that proves its answer. */
import type { AbiCall } from '../../abi/call.js';
import type { Hex } from '../../bytes.js';
import {
  type CallOutcome,
  type StateAnswer,
  type StateSource,
  viewAnswer,
} from '../../evm/index.js';
import { entryBytes, LruCache } from '../../lru.js';
import { isWithoutCode } from '../../verify/code.js';

/** All that a call has read, in all of its runs: also what a run read that lacked something, and did not matter in the end. */
export interface Reads {
  readonly slots: ReadonlyMap<Hex, ReadonlySet<Hex>>;
  /** By hash. */
  readonly codes: ReadonlyMap<Hex, Hex>;
}

/** Accounts and slots together. */
export const entriesOf = (slots: Reads['slots']): number =>
  [...slots.values()].reduce((sum, keys) => sum + 1 + keys.size, 0);

/** No two calls share one: all addresses are of one length. */
export const nameOf = ({ to, data }: AbiCall): string => to + data;

/** What a call has come to. */
export interface NotedCall {
  readonly reads: Reads;
  /** Undefined if the contract gave none. */
  readonly answer: Uint8Array | undefined;
  /** Whether the state alone decides the answer. */
  readonly isProvable: boolean;
}

/** A block of the state, as calls read it. */
export interface ReadState {
  readonly source: StateSource;
  /** Code that is at hand, by its keccak256 hash. */
  codeBy(hash: Hex): Hex | undefined;
}

type Found = Omit<StateAnswer, 'values'> & { readonly values: Map<Hex, Hex> };

interface KeptCall extends Pick<NotedCall, 'answer'>, Pick<Reads, 'slots'> {
  /** What was found in each account. */
  readonly marks: readonly string[];
  readonly codeHashes: readonly Hex[];
}

/** Bytes in memory of calls that are kept. */
const maxBytes = 8 * 2 ** 20;

/** Accounts and slots of a call that is kept, at most: they are read in one piece. Hardly any call reads more in all runs. */
const mostReads = 144;

function sizeOf({ answer, slots, marks, codeHashes }: KeptCall, name: string): number {
  const texts = [name, ...marks].reduce((sum, { length }) => sum + length, 0);
  return entryBytes * (1 + entriesOf(slots) + codeHashes.length) + texts + (answer?.length ?? 0);
}

/**
 * All that a contract can see of an account and of slots. It sees whether the storage's root is that of an empty one, and only
 * if there is no code.
 */
function markOf({ account }: Pick<Found, 'account'>, values: Iterable<Hex>): string {
  const seen = [...values].join();
  if (account === null) return `none ${seen}`;
  const { nonce, balance, keccakCodeHash, storageRoot } = account;
  return `${nonce} ${balance} ${keccakCodeHash} ${isWithoutCode(account) ? storageRoot : ''} ${seen}`;
}

/** A source that notes what it says. */
function noting(source: StateSource, found: Map<Hex, Found>, codes: Map<Hex, Hex>): StateSource {
  return {
    known: () => undefined,
    knownCode(account) {
      const code = source.knownCode(account);
      if (code !== undefined && code !== '0x') codes.set(account.keccakCodeHash, code);
      return code;
    },
    async read(questions, signal) {
      const answers = await source.read(questions, signal);
      questions.forEach(({ address, storageKeys }, i) => {
        const { account, values } = answers[i] as StateAnswer;
        const all = found.get(address) ?? { account, values: new Map() };
        found.set(address, all);
        storageKeys.forEach((key, at) => {
          all.values.set(key, values[at] as Hex);
        });
      });
      return answers;
    },
    async code(address, account, signal) {
      const code = await source.code(address, account, signal);
      codes.set(account.keccakCodeHash, code);
      return code;
    },
  };
}

/** Whoever checks a call knows the number of the block. One that has read it is run again at each block. */
const isProven = (name: string): boolean => name === 'number';

/**
 * The calls of a chain. One that was made before is not run again if all that it has read is as it was: nothing else decides
 * its answer.
 */
export class NotedCalls {
  readonly #kept = new LruCache<string, KeptCall>(maxBytes, sizeOf);

  /**
   * @param run makes the call on a source; undefined if the engine cannot make it
   * @throws what `run` and the source throw
   */
  async make(
    call: AbiCall,
    state: ReadState,
    run: (source: StateSource) => Promise<CallOutcome | undefined>,
  ): Promise<NotedCall | undefined> {
    const name = nameOf(call);
    const known = await this.#recall(name, state);
    if (known !== undefined) return known;
    const found = new Map<Hex, Found>();
    const codes = new Map<Hex, Hex>();
    const outcome = await run(noting(state.source, found, codes));
    if (outcome === undefined) return undefined;
    const answer = viewAnswer(outcome);
    const slots = new Map(
      [...found].map(([address, { values }]) => [address, new Set(values.keys())]),
    );
    // Which slots a run has read that lacked something may depend on the block, too: they are cited.
    if (outcome.everAssumed.length === 0 && entriesOf(slots) <= mostReads) {
      const marks = [...found.values()].map((one) => markOf(one, one.values.values()));
      this.#kept.set(name, { answer, slots, marks, codeHashes: [...codes.keys()] });
    }
    return { reads: { slots, codes }, answer, isProvable: outcome.assumed.every(isProven) };
  }

  /** The call as it was made before; undefined if it would read something else now. */
  async #recall(name: string, { source, codeBy }: ReadState): Promise<NotedCall | undefined> {
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    const { answer, slots, marks, codeHashes } = kept;
    const codes = new Map<Hex, Hex>();
    for (const hash of codeHashes) {
      const code = codeBy(hash);
      if (code === undefined) return undefined;
      codes.set(hash, code);
    }
    const questions = [...slots].map(([address, keys]) => ({ address, storageKeys: [...keys] }));
    const answers = await source.read(questions, undefined);
    const isSame = answers.every((one, i) => markOf(one, one.values) === marks[i]);
    if (isSame) return { reads: { slots, codes }, answer, isProvable: true };
    this.#kept.delete(name);
    return undefined;
  }
}
