/** The routes of the decoder, beside those of the proofs. */
import type { Context, Hono } from 'hono';
import { type Decoder, openDecoder } from '../decoder/decoder.js';
import { corsRule } from '../http/cors.js';
import type { ServiceLog } from '../http/log.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { describeApi } from './decoderApi.js';
import { answered, noSuchRoute, refuse } from './decoderReplies.js';
import { keyHeaders } from './decoderRequest.js';
import { createDecodeRoute } from './decoderRoute.js';

export interface DecodingOptions {
  readonly decoder: Decoder;
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly queue: Queue;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
  /** Names of the chains of the data interface, for the OpenAPI document. */
  readonly dataChains: readonly string[];
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
}

export interface Decoding {
  /** Adds the routes. @throws ServiceError `MISSING_PEER` */
  mount(app: Hono): Promise<void>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** @throws ServiceError `MISSING_PEER` @throws TypeError if `decoder` is no decoder */
export async function createDecoding(options: DecodingOptions): Promise<Decoding> {
  const { keys, limits, queue, log, metrics, origins } = options;
  const decoder = openDecoder(options.decoder);
  const route = createDecodeRoute({ decoder, keys, limits, queue, log, metrics });
  const description = await describeApi({
    chains: decoder.chains,
    dataChains: options.dataChains,
    isOpen: keys.isOpen,
  });
  const start = performance.now();

  function health(): Response {
    const uptime = (performance.now() - start) / 1000;
    const timestamp = new Date().toISOString();
    return answered(JSON.stringify({ success: true, timestamp, uptime }));
  }

  return {
    async mount(app) {
      if (origins.length > 0) app.use('/api/*', await corsRule(origins, keyHeaders));
      const decode = ({ req }: Context) => route.answer(req.raw);
      for (const path of ['/api/v1/tx/decode', '/api/v1/tx/decode/']) app.all(path, decode);
      app.get('/api/v1/healthcheck', health);
      app.get('/openapi.json', () => answered(description));
      app.all('/api/*', () => refuse(noSuchRoute(), log));
    },
    flush: () => route.flush(),
  };
}
