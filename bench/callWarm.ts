/** Calls of which a provider knows all: beside the bare EVM, and through the proxy beside Anvil's own rate. */
import { createProvider } from '../src/provider/index.js';
import { createTransport, type Transport } from '../src/rpc/index.js';
import { createProxy, startServer } from '../src/service/index.js';
import type { CallWorld } from '../test/support/calls/world.js';
import { type BenchCall, openTheirs, recordAll, timedRun } from './callState.js';
import { type Compared, startLoader } from './httpLoad.js';
import { ratioOf, type Spread, spreadOf } from './measure.js';

export interface WarmReport {
  readonly name: string;
  /** Microseconds a call. */
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
}

function openProvider({ living }: CallWorld) {
  const { network, l1Transport: l1 } = living;
  const proofs = createTransport({ url: living.proofs });
  const node = createTransport({ url: living.l2.url });
  const l2: Transport = {
    call: (method, ...rest) => (method === network.method ? proofs : node).call(method, ...rest),
  };
  return createProvider({ l2, l1, network });
}

/** Each call through a provider that fetches nothing, by turns with an EVM that is kept and has its own state. */
export async function warmReports(
  world: CallWorld,
  calls: readonly BenchCall[],
  rounds: number,
): Promise<WarmReport[]> {
  const provider = openProvider(world);
  const reports: WarmReport[] = [];
  for (const { name, ...call } of calls) {
    const params = [call, world.block];
    const ours = await timedRun(() => provider.request({ method: 'eth_call', params }));
    const recorded = await recordAll(world, { name, ...call });
    const theirs = await timedRun(await openTheirs({ name, ...call }, recorded));
    const samples: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      samples[0].push(await ours());
      samples[1].push(await theirs());
    }
    reports.push({
      ...{ name, ours: spreadOf(samples[0]), theirs: spreadOf(samples[1]) },
      ratio: ratioOf(samples[0], samples[1]),
    });
  }
  provider.close();
  return reports;
}

/** A call through the proxy, from 16 connections, beside the same question to the node. */
export async function proxyReport(
  world: CallWorld,
  { name: _, ...call }: BenchCall,
): Promise<Compared> {
  const provider = openProvider(world);
  const server = await startServer(await createProxy({ provider }), { port: 0 });
  const loader = startLoader();
  const params = [call, world.block];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params });
  const job = (port: number) => ({ port, path: '/', body, check: '"result"', connections: 16 });
  try {
    return await loader.compare(job(server.port), job(Number(new URL(world.living.l2.url).port)));
  } finally {
    loader.close();
    provider.close();
    await server.stop();
  }
}
