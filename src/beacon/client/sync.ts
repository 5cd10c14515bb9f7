/** One round of questions: from what is known to the newest final block that the servers can show. */
import type { Hex } from '../../bytes.js';
import { ownMember } from '../../foreign/members.js';
import { verifyBootstrap } from '../verify/bootstrap.js';
import { ConsensusError } from '../verify/errors.js';
import { type BeaconNetwork, periodAt } from '../verify/network.js';
import type { LightClientStore } from '../verify/types.js';
import { applyUpdate } from '../verify/update.js';
import type { BeaconServer } from './server.js';
import type { Servers } from './servers.js';

/** The parts of a round. */
export interface Round {
  readonly network: BeaconNetwork;
  readonly servers: Servers;
  /** The slot that it is now, with what the clock may be slow. */
  readonly currentSlot: number;
  readonly signal: AbortSignal | undefined;
}

/** The outcome of a round. */
interface RoundResult {
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
    const answer = await question();
    servers.heard(server);
    return answer;
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

/** The last period whose committee is known. */
const lastPeriod = (store: LightClientStore, network: BeaconNetwork): number =>
  periodAt(network, store.finalized.beacon.slot) + (store.nextCommittee === undefined ? 0 : 1);

/**
 * Goes over the periods up to the one after now, with a question to each server in turn: one that answers little at a
 * time delays the others no more than that. Those that lead no further are asked no more.
 */
async function followPeriods(
  known: LightClientStore,
  servers: readonly BeaconServer[],
  round: Round,
  failures: ConsensusError[],
): Promise<LightClientStore> {
  const { network, currentSlot, signal } = round;
  const current = periodAt(network, currentSlot);
  let store = known;
  const queue = [...servers];
  while (lastPeriod(store, network) <= current) {
    const server = queue.shift();
    if (server === undefined) break;
    // The update of a period has the committee of the next one.
    const first = lastPeriod(store, network);
    await blaming(round, server, failures, async () => {
      for (const update of await server.updates(first, current - first + 1, signal)) {
        store = await applied(store, update, round);
      }
      if (lastPeriod(store, network) > first) queue.push(server);
    });
  }
  return store;
}

/** Slot of the final header that an update claims, for the order in which updates are tried. */
function claimedSlot(update: unknown): number {
  const slot = ['finalized_header', 'beacon', 'slot'].reduce(ownMember, update);
  // Other values may have no number, or one that takes long.
  return typeof slot === 'string' && slot.length < 20 ? Number(slot) || 0 : 0;
}

/** Takes the newest final block that the servers show. */
export async function followServers(known: LightClientStore, round: Round): Promise<RoundResult> {
  const { servers, signal } = round;
  const asked = servers.nextRound();
  const failures: ConsensusError[] = [];
  let store = await followPeriods(known, asked, round, failures);
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
