/** The shared parts of the decoder's routes. */
import { z } from '@hono/zod-openapi';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import { type Decoder, toOpenDecoder } from '../decoder/decoder.js';
import { keyHeaders } from '../rest/credentials.js';
import type { OpenRoute, RestInterface, Route } from '../rest/route.js';

/** The name that clients know faults of a request by. */
const faultName = 'Validation Error';

/** @throws TypeError if `decoder` is no decoder */
export function decoderInterface(
  given: Decoder,
  routes: readonly ((chains: readonly string[]) => Route<ChainDecoder>)[],
  open: readonly OpenRoute[],
): RestInterface<ChainDecoder> {
  const decoder = toOpenDecoder(given);
  return {
    base: '/api',
    routes: routes.map((route) => route(decoder.chains)),
    open,
    chainOf: decoder.chainOf,
    unit: 'logs',
    hidesMethods: true,
    tellsAge: false,
    publicUrl: undefined,
    pages: { headers: keyHeaders, methods: ['POST'] },
    texts: {
      failurePrefix: 'Server Error: ',
      node: 'the L2 node',
      noRoute: 'Not Found',
      noKey: 'x-goldrush-api-key is required',
      unknownKey: 'the API key is unknown',
      rateLimit: (units) =>
        `more than ${units} units of cost per second; a request costs 1, and 1 for each log`,
      challenge: 'Bearer',
      // All are told.
      faults: (faults) => faults.map((fault) => `${fault}.`).join(' '),
      failure: (message, status) => ({
        success: false,
        ...(status === 400 && { name: faultName }),
        message,
      }),
    },
    failures: {
      400: 'The query or the body is wrong; `message` lists all faults',
      401: 'A key is asked for, and none or an unknown one came',
      404: 'The chain has no such transaction, or it is not mined yet',
      408: 'The body did not come in time',
      413: 'The body is too long',
      429: 'The key has asked for too much; `Retry-After` says when to ask again',
      500: 'The service failed',
      502: 'The L2 node does not answer, or answers nonsense',
      503: 'The service is busy; `Retry-After` says when to ask again',
      504: 'The L2 node does not answer in time',
    },
    failure: z
      .object({
        success: z.literal(false),
        name: z
          .string()
          .optional()
          .openapi({ description: `\`${faultName}\` with 400` }),
        message: z.string(),
      })
      .openapi('Failure'),
  };
}
