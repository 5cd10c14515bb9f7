/** Metrics for Prometheus. */
import { loadPeer } from './peers.js';

/** What the service counts. Nothing in it names a key or an address. */
export interface ServiceMetrics {
  /** A request was answered. @param code of the JSON-RPC error, 0 for none */
  answered(status: number, code: number, seconds: number): void;
  /** How many proofs are being made. */
  running(count: number): void;
  /** Newest finalized block held. */
  newestBlock(block: number): void;
  /** All figures as text for Prometheus, and its media type. */
  read(): Promise<{ text: string; contentType: string }>;
}

/** Counts in a registry of its own, with the usual figures of a Node process. @throws ServiceError `MISSING_PEER` */
export async function createMetrics(): Promise<ServiceMetrics> {
  const { default: client } = await loadPeer('prom-client', import('prom-client'));
  const registry = new client.Registry();
  const registers = [registry];
  client.collectDefaultMetrics({ register: registry });
  const requests = new client.Counter({
    name: 'l2proof_requests_total',
    help: 'Requests answered, by HTTP status and JSON-RPC error code (0: none)',
    labelNames: ['status', 'code'],
    registers,
  });
  const seconds = new client.Histogram({
    name: 'l2proof_request_seconds',
    help: 'Time from the headers of a request to its answer',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const running = new client.Gauge({
    name: 'l2proof_proofs_running',
    help: 'Proofs being made',
    registers,
  });
  const newest = new client.Gauge({
    name: 'l2proof_newest_block',
    help: 'Newest L2 block held that is finalized on L1',
    registers,
  });
  return {
    answered(status, code, time) {
      requests.inc({ status, code });
      seconds.observe(time);
    },
    running: (count) => running.set(count),
    newestBlock: (block) => newest.set(block),
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
