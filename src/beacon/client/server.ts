/** One server of the beacon API. What it answers is a claim; its errors say what to do. */
import type { Hex } from '../../bytes.js';
import { createMemberReader } from '../../foreign/members.js';
import { createGetter } from '../../rpc/get.js';
import { RpcError } from '../../rpc/index.js';
import { ConsensusError, type ConsensusErrorCode, refusal } from '../verify/errors.js';
import type { BeaconNetwork } from '../verify/network.js';

const { openObject, openArray, readMember } = createMemberReader((path, reason, options) =>
  refusal('BAD_ANSWER', path, reason, options),
);

/** Most updates that are asked for at once: an API's bound is 128, and each is 100 kB. */
const mostUpdates = 16;

/** A server. All questions throw ConsensusError, or the signal's reason. */
export interface BeaconServer {
  /** Place in the list of the caller, from 1. */
  readonly place: number;
  /** `data` of the bootstrap of a block. */
  bootstrap(root: Hex, signal: AbortSignal | undefined): Promise<unknown>;
  /** `data` of one update for each of some periods, from the first on: at most `count`, maybe fewer. */
  updates(first: number, count: number, signal: AbortSignal | undefined): Promise<unknown[]>;
  /** `data` of the newest update of finality. */
  finality(signal: AbortSignal | undefined): Promise<unknown>;
}

interface ServerOptions {
  readonly url: string;
  readonly place: number;
  readonly network: BeaconNetwork;
  readonly fetch: typeof globalThis.fetch | undefined;
}

const noRoutes =
  'the server has no routes for light clients; ask another one, or switch them on in yours';

/** Whether this is a page or a worker of one: there a request that is not allowed fails like one without an answer. */
const isPage = (): boolean => (globalThis as { location?: unknown }).location !== undefined;

/** What it means that no answer came. @param missing what a status of 404 means */
function toFailure(error: RpcError, missing: readonly [ConsensusErrorCode, string]): Error {
  const { status } = error;
  if (error.code === 'NETWORK' && isPage()) {
    const reason =
      'no answer: the server is down, or does not let pages of other origins ask it (CORS); ask another one';
    return new ConsensusError('BLOCKED', reason, { cause: error });
  }
  if (status === 404) return new ConsensusError(...missing, { cause: error });
  const isUnknown = status === 400 || status === 405 || status === 501;
  if (isUnknown) return new ConsensusError('NO_ROUTES', noRoutes, { cause: error });
  if (error.code === 'NOT_JSON' || error.code === 'TOO_LARGE') {
    return new ConsensusError('BAD_ANSWER', error.reason, { cause: error });
  }
  return new ConsensusError('NO_ANSWER', error.message, { cause: error });
}

/** @throws TypeError for a wrong URL */
export function openServer({ url, place, network, fetch }: ServerOptions): BeaconServer {
  const get = createGetter({ url, fetch });
  // A key is 98 characters; indented, some 120. All else of an update is some 15,000.
  const maxBytes = 64 * 1024 + 256 * network.committeeSize;

  async function ask(
    name: string,
    query: string,
    {
      count = 1,
      missing = ['NO_ROUTES', noRoutes],
      signal,
    }: {
      readonly count?: number;
      readonly missing?: readonly [ConsensusErrorCode, string];
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<unknown> {
    try {
      const path = `/eth/v1/beacon/light_client/${name}${query}`;
      return await get({ name, path, maxBytes: count * maxBytes, signal });
    } catch (error) {
      throw error instanceof RpcError ? toFailure(error, missing) : error;
    }
  }

  const dataOf = (answer: unknown, at: string): unknown =>
    readMember(openObject(answer, at), 'data');

  const server: BeaconServer = {
    place,
    async bootstrap(root, signal) {
      const reason =
        'the server does not hold the bootstrap of the checkpoint; take the first block of a newer epoch, or ask another server';
      const missing = ['NO_BOOTSTRAP', reason] as const;
      try {
        return dataOf(await ask('bootstrap', `/${root}`, { missing, signal }), '');
      } catch (error) {
        if (!(error instanceof ConsensusError) || error.code !== 'NO_BOOTSTRAP') throw error;
        // A server without any of the routes answers the same.
        await server.finality(signal);
        throw error;
      }
    },
    async updates(first, wanted, signal) {
      const count = Math.min(wanted, mostUpdates);
      const query = `?start_period=${first}&count=${count}`;
      const list = openArray(await ask('updates', query, { count, signal }), '');
      if (list.length > count) {
        throw refusal('BAD_ANSWER', '', `expected at most ${count} updates, got ${list.length}`);
      }
      return Array.from({ length: list.length }, (_, i) => dataOf(readMember(list, i), `[${i}]`));
    },
    finality: async (signal) => dataOf(await ask('finality_update', '', { signal }), ''),
  };
  return server;
}
