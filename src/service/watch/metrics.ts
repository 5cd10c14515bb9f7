/** Metrics for Prometheus. */
import type { Registry } from 'prom-client';
import { Poll } from '../../poll.js';
import { loadServicePeer } from '../http/peers.js';

/** The figures that the service counts. None of them names a key or an address. */
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

type Scrape = Awaited<ReturnType<ServiceMetrics['read']>>;

/** Ms for which the text of a scrape is kept. */
const scrapeAge = 1000;

/**
 * Shares a scrape between all who ask while it is made and in the second after it. `/metrics` asks for no key and has no
 * rate, and a text takes as long as several proofs: without this, scrapers could keep a proof waiting for seconds.
 */
export function shareScrapes(
  read: (metrics: ServiceMetrics) => Promise<Scrape>,
): (metrics: ServiceMetrics) => Promise<Scrape> {
  const poll = new Poll(read, scrapeAge);
  return (metrics) => poll.get(metrics);
}

/** Metrics of one of several processes that serve together. */
export interface PartMetrics extends ServiceMetrics {
  /** Its figures, for {@link sumMetrics}, in a form that goes from process to process. */
  figures(): Promise<unknown>;
}

/** The metrics of several processes as those of one. @throws ServiceError `MISSING_PEER` */
export async function sumMetrics(
  figures: readonly unknown[],
): Promise<Awaited<ReturnType<ServiceMetrics['read']>>> {
  const { default: client } = await loadServicePeer('prom-client', import('prom-client'));
  const registry = client.AggregatorRegistry.aggregate(figures as object[]);
  return { text: await registry.metrics(), contentType: registry.contentType };
}

/** Gauges with the ending of counters, which rules of Prometheus forbid; each is the sum of the gauge without that ending. */
const misnamed = ['handles', 'requests', 'resources'].map((of) => `nodejs_active_${of}_total`);

/** The usual figures of this Node process: once for all of its services, since what collects them never ends. */
let usual: Registry | undefined;

/** Counts in a registry of its own, beside the usual figures of the process. @throws ServiceError `MISSING_PEER` */
export async function createMetrics(): Promise<PartMetrics> {
  const { default: client } = await loadServicePeer('prom-client', import('prom-client'));
  if (usual === undefined) {
    usual = new client.Registry();
    client.collectDefaultMetrics({ register: usual });
    for (const name of misnamed) usual.removeSingleMetric(name);
  }
  const registry = new client.Registry();
  const registers = [registry];
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
    // Each process knows it, so their figures are not added up.
    aggregator: 'max',
    registers,
  });
  const all = client.Registry.merge([usual, registry]);
  /** Answers that are not counted in the registry yet: counting one takes as long as reading a short request. */
  const counted = new Map<string, { status: number; code: number; count: number }>();
  let taken = 0;

  function flush(): void {
    for (const { status, code, count } of counted.values()) requests.inc({ status, code }, count);
    counted.clear();
    running.set(taken);
  }

  return {
    answered(status, code, time) {
      const name = `${status} ${code}`;
      const known = counted.get(name);
      if (known) known.count++;
      else counted.set(name, { status, code, count: 1 });
      seconds.observe(time);
    },
    running(count) {
      taken = count;
    },
    newestBlock: (block) => newest.set(block),
    async figures() {
      flush();
      return all.getMetricsAsJSON();
    },
    async read() {
      flush();
      return { text: await all.metrics(), contentType: all.contentType };
    },
  };
}
