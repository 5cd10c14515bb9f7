/** What a call asks of the L2 servers, each of which is 30 ms away. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createProvider } from '../src/provider/index.js';
import { createTransport, type Transport } from '../src/rpc/index.js';
import type { CallWorld } from '../test/support/calls/world.js';
import type { BenchCall } from './callState.js';

/** Ms that each request takes on its way. */
export const latency = 30;

export interface Asked {
  readonly requests: number;
  /** Of questions and answers, without headers. */
  readonly bytes: number;
  /** Ms. */
  readonly time: number;
}

/** A fetch that counts, and is slow; it can play a node without `eth_createAccessList`. */
function createMeter() {
  const count = { requests: 0, bytes: 0 };
  let hasHints = true;
  async function meteredFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    const body = String(init?.body ?? '');
    count.requests += 1;
    count.bytes += body.length;
    await sleep(latency);
    if (!hasHints && body.includes('eth_createAccessList')) {
      const error = { code: -32601, message: 'the method does not exist' };
      const text = JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, error });
      count.bytes += text.length;
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    }
    const response = await fetch(url, init);
    const bytes = await response.arrayBuffer();
    count.bytes += bytes.byteLength;
    return new Response(bytes, { status: response.status, headers: response.headers });
  }
  return {
    count,
    fetch: meteredFetch as typeof fetch,
    setHints(hints: boolean) {
      hasHints = hints;
    },
  };
}

/** Opens a provider whose anchor is known, and asks it calls one after the other. @returns what each asked */
export async function requestsOf(
  { living, block }: CallWorld,
  calls: readonly BenchCall[],
  { hasHints }: { hasHints: boolean },
): Promise<Asked[]> {
  const meter = createMeter();
  meter.setHints(hasHints);
  const { network, l1Transport: l1 } = living;
  const proofs = createTransport({ url: living.proofs, fetch: meter.fetch });
  const node = createTransport({ url: living.l2.url, fetch: meter.fetch });
  const l2: Transport = {
    call: (method, ...rest) => (method === network.method ? proofs : node).call(method, ...rest),
  };
  const provider = createProvider({ l2, l1, network });
  await provider.anchor();
  const all: Asked[] = [];
  for (const { name: _, ...call } of calls) {
    const before = { ...meter.count };
    const start = performance.now();
    await provider.request({ method: 'eth_call', params: [call, block] });
    all.push({
      requests: meter.count.requests - before.requests,
      bytes: meter.count.bytes - before.bytes,
      time: performance.now() - start,
    });
  }
  provider.close();
  return all;
}
