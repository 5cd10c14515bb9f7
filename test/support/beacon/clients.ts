/** A chain over two periods and a fork, servers of it, and light clients of them, as the tests of the client share them. */
import { afterEach } from 'vitest';
import {
  ConsensusError,
  createLightClient,
  type LightClientOptions,
} from '../../../src/beacon/index.js';
import { rejectionOf } from '../thrown.js';
import { makeChain } from './chain.js';
import { networkFrom } from './networks.js';
import { type ServeOptions, serveBeacon } from './server.js';

/** What the tests of a file share. Each server ends with its test. */
export function serveClients() {
  const network = networkFrom('fulu', ['gloas', 12]);
  const chain = makeChain(network);
  const checkpoint = chain.root(8);
  /** Ms of a slot's beginning. */
  const timeOf = (slot: number) => 1000 * (network.genesisTime + network.secondsPerSlot * slot);
  const head = 180;

  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  async function serve(options: Partial<ServeOptions> = {}, of = chain) {
    const server = await serveBeacon(of, { head: () => head, ...options });
    closing.push(server.close);
    return server;
  }
  const open = (api: string | string[], options: Partial<LightClientOptions> = {}) =>
    createLightClient({ api, network, checkpoint, now: () => timeOf(head), ...options });
  return { network, chain, checkpoint, timeOf, head, serve, open };
}

/** What a client's work is refused with. */
export const failure = (work: Promise<unknown>): Promise<ConsensusError> =>
  rejectionOf(ConsensusError, work);
