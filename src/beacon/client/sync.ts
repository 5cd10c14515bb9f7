/** One round of questions: from what is known to the newest final block that the servers can show. */
import type { Hex } from '../../bytes.js';
import { verifyBootstrap } from '../verify/bootstrap.js';
import { ConsensusError } from '../verify/errors.js';
import { type BeaconNetwork, periodAt } from '../verify/network.js';
import type { LightClientStore } from '../verify/types.js';
import { applyUpdate } from '../verify/update.js';
import type { BeaconServer } from './server.js';
import type { Servers } from './servers.js';

/** What a round needs. */
export interface Round {
  readonly network: BeaconNetwork;
  readonly servers: Servers;
  /** The slot that it is now, with what the clock may be slow. */
  readonly currentSlot: number;
  readonly signal: AbortSignal | undefined;
}

/** What came of a round. */
export interface RoundResult {
  readonly store: LightClientStore;
  /** Failures, in the order of the servers asked; all of them have failed if nothing is `answered`. */
  readonly failures: readonly ConsensusError[];
  /** Whether what a server answered holds. */
  readonly answered: boolean;
}

/** Runs a question. @throws what is no failure of the server, such as the signal's reason */
async function blaming<T>(
  { servers, signal }: Round,
  server: BeaconServer,
  failures: ConsensusError[],
  question: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ConsensusError)) throw error;
    failures.push(servers.blame(server, error));
    return undefined;
  }
}

/** The first bootstrap that holds. @throws ConsensusError: that of the first server */
export async function bootstrapFrom(checkpoint: Hex, round: Round): Promise<LightClientStore> {
  const { network, servers, signal } = round;
  const failures: ConsensusError[] = [];
  for (const server of servers.nextRound()) {
    const store = await blaming(round, server, failures, async () =>
      verifyBootstrap(await server.bootstrap(checkpoint, signal), { checkpoint, network }),
    );
    if (store !== undefined) return store;
  }
  throw failures[0];
}

/** Applies an update; one that brings nothing is no failure. */
async function applied(
  store: LightClientStore,
  update: unknown,
  { network, currentSlot, signal }: Round,
): Promise<LightClientStore> {
  try {
    return await applyUpdate(store, update, { network, currentSlot, signal });
  } catch (error) {
    if (error instanceof ConsensusError && error.code === 'NOT_NEWER') return store;
    throw error;
  }
}

/** Whether the committee of now is known, and the one after it. */
function isCaughtUp(store: LightClientStore, { network, currentSlot }: Round): boolean {
  const period = periodAt(network, store.finalized.beacon.slot);
  return period >= periodAt(network, currentSlot) && store.nextCommittee !== undefined;
}

/** Goes over the periods with the updates of one server, as far as they lead. */
async function followPeriods(
  known: LightClientStore,
  server: BeaconServer,
  round: Round,
  failures: ConsensusError[],
): Promise<LightClientStore> {
  const { network, currentSlot, signal } = round;
  let store = known;
  while (!isCaughtUp(store, round)) {
    const before = store;
    const first = periodAt(network, store.finalized.beacon.slot);
    const count = periodAt(network, currentSlot) - first + 1;
    const holds = await blaming(round, server, failures, async () => {
      for (const update of await server.updates(first, count, signal)) {
        store = await applied(store, update, round);
      }
      return true;
    });
    // It has no more than it has shown.
    if (!holds || store === before) break;
  }
  return store;
}

/** Slot of the final header that an update claims, for the order in which updates are tried. */
function claimedSlot(update: unknown): number {
  const { finalized_header: header } = Object(update) as { finalized_header?: unknown };
  const { beacon } = Object(header) as { beacon?: unknown };
  const { slot } = Object(beacon) as { slot?: unknown };
  return Number(slot) || 0;
}

/** Takes the newest final block that the servers show. */
export async function followServers(known: LightClientStore, round: Round): Promise<RoundResult> {
  const { servers, signal } = round;
  const asked = servers.nextRound();
  const failures: ConsensusError[] = [];
  let store = known;
  for (const server of asked) {
    if (isCaughtUp(store, round)) break;
    store = await followPeriods(store, server, round, failures);
  }
  const claims = await Promise.all(
    asked.map(async (server) => ({
      server,
      update: await blaming(round, server, failures, () => server.finality(signal)),
    })),
  );
  let answered = false;
  // The newest first: those that are older then cost no signature.
  claims.sort((a, b) => claimedSlot(b.update) - claimedSlot(a.update));
  for (const { server, update } of claims) {
    if (update === undefined) continue;
    const next = await blaming(round, server, failures, () => applied(store, update, round));
    if (next === undefined) continue;
    store = next;
    answered = true;
  }
  return { store, failures, answered: answered || store !== known };
}
