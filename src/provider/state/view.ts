/** The state under one root, fetched and verified as it is asked for. Verified values are kept, within a bound. */

import type { AnchoredRoot } from '../../anchor/index.js';
import type { Hex } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import type { KnownAccount } from '../../evm/index.js';
import { LruCache } from '../../lru.js';
import { openStateVerifier, type StateClient, type VerifyState } from '../../proven/index.js';
import { createTurns } from '../../turns.js';
import type { Account, StateKind, VerifiedState } from '../../verify/result.js';
import type { Lifetime } from './lifetime.js';

/** A part of a state; all of it is proven. */
interface ProvenRead {
  /** null: proven not to exist. */
  readonly account: Account<StateKind> | null;
  /** Values of the slots asked for, in their order, 32 bytes each. */
  readonly values: readonly Hex[];
}

/** A proof, and what it proves. */
export interface ProvenProof {
  readonly result: unknown;
  readonly state: VerifiedState<StateKind>;
}

export interface View {
  readonly anchor: AnchoredRoot;
  /**
   * Reads an account and some of its slots. Reads of one account that begin together become one request.
   *
   * @param address 20 bytes, in lower case
   * @param storageKeys 32 bytes each, in lower case
   * @throws RpcError, ShapeError, VerificationError; the signal's reason
   */
  read(address: Hex, storageKeys?: readonly Hex[]): Promise<ProvenRead>;
  /** The proven values of an account that are kept from before; undefined if there are none. */
  known(address: Hex): KnownAccount | undefined;
  /** Asks for a proof as JSON, and verifies it. Nothing is taken from what is kept. @throws as `read` */
  proof(address: Hex, storageKeys: readonly Hex[]): Promise<ProvenProof>;
}

interface ViewOptions {
  /** It may answer bytes. */
  readonly client: StateClient;
  /** It does not. */
  readonly json: StateClient;
  readonly lifetime: Lifetime;
  /** Accounts and slots that are kept, together. */
  readonly maxEntries: number;
}

/** The known values of an account. */
interface Known {
  readonly account: Account<StateKind> | null;
  readonly slots: Map<Hex, Hex>;
}

/** Reads of one account that share a request. */
interface Batch {
  readonly keys: Set<Hex>;
  readonly answer: Promise<Known>;
}

/** Slots in one batch; more begin another. */
const maxBatch = 1000;

/** Accounts by address. */
function createStore(maxEntries: number) {
  const accounts = new LruCache<Hex, Known>(maxEntries, ({ slots }) => 1 + slots.size);
  return {
    get: (address: Hex): Known | undefined => accounts.get(address),
    add(address: Hex, { account, slots }: Known): void {
      const known = accounts.get(address) ?? { account, slots: new Map() };
      for (const [key, value] of slots) known.slots.set(key, value);
      accounts.set(address, known);
    },
  };
}

/** The values proven under a root. It does not depend on what else an anchor with that root says. */
type ProvenState = Omit<View, 'anchor'>;

function openState(
  anchor: AnchoredRoot,
  { client, json, lifetime, maxEntries }: ViewOptions,
): ProvenState {
  /** Made with the first answer. */
  let verify: VerifyState | undefined;
  const store = createStore(maxEntries);
  /** Batches by address: those not sent yet, and those sent but not answered. */
  const waiting = new Map<Hex, Batch>();
  const sent = new Map<Hex, Set<Batch>>();

  /** Asks for a proof and verifies it, for as long as the provider lives. */
  const ask = (
    from: StateClient,
    address: Hex,
    storageKeys: readonly Hex[],
  ): Promise<ProvenProof> =>
    lifetime.run(async (signal) => {
      const question = { address, storageKeys };
      const result = await from.ask(anchor, question, signal);
      verify ??= openStateVerifier(anchor);
      const { tick } = createTurns(() => signal.throwIfAborted());
      return { result, state: await verify(result, question, tick) };
    });

  async function send(address: Hex, batch: Batch): Promise<Known> {
    if (waiting.get(address) === batch) waiting.delete(address);
    const others = sent.get(address) ?? new Set();
    sent.set(address, others.add(batch));
    try {
      const { state } = await ask(client, address, [...batch.keys]);
      const { account, storage } = state;
      const slots = new Map(storage.map(({ key, value }) => [key, value]));
      const known = { account, slots };
      store.add(address, known);
      return known;
    } finally {
      others.delete(batch);
      if (others.size === 0) sent.delete(address);
    }
  }

  /** A batch that takes further keys along until the turn of the event loop ends. */
  function begin(address: Hex): Batch {
    const answer: Promise<Known> = yieldToEventLoop().then(() => send(address, batch));
    const batch: Batch = { keys: new Set(), answer };
    waiting.set(address, batch);
    return batch;
  }

  /** The answer that will have all keys: from a batch already sent, or from one that they join. */
  function join(address: Hex, missing: readonly Hex[]): Promise<Known> {
    for (const { keys, answer } of sent.get(address) ?? []) {
      if (missing.every((key) => keys.has(key))) return answer;
    }
    let batch = waiting.get(address);
    if (!batch || batch.keys.size + missing.length > maxBatch) batch = begin(address);
    for (const key of missing) batch.keys.add(key);
    return batch.answer;
  }

  return {
    proof: (address, storageKeys) => ask(json, address, storageKeys),
    known: (address) => store.get(address),
    async read(address, storageKeys = []) {
      const known = store.get(address);
      const missing = storageKeys.filter((key) => !known?.slots.has(key));
      const isComplete = known !== undefined && missing.length === 0;
      const { account, slots } = isComplete ? known : await join(address, missing);
      const values = storageKeys.map((key) => (slots.get(key) ?? known?.slots.get(key)) as Hex);
      return { account, values };
    },
  };
}

/** Roots whose states are kept. */
const maxStates = 4;

/**
 * Gives the view of an anchor. What was proven under its root before is shared; time, L1 block and the rest are those of
 * the anchor that is asked under. The states that were not asked for longest make way.
 */
export function createViews(options: ViewOptions): (anchor: AnchoredRoot) => View {
  const states = new LruCache<string, ProvenState>(maxStates);
  return (anchor) => {
    const key = `${anchor.kind} ${anchor.l2BlockNumber} ${anchor.hash} ${anchor.stateRoot}`;
    let state = states.get(key);
    if (state === undefined) {
      state = openState(anchor, options);
      states.set(key, state);
    }
    return { ...state, anchor };
  };
}
