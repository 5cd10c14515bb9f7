/** The shared parts of the data interface's routes. */
import { z } from '@hono/zod-openapi';
import type { ChainData } from '../data/chainData.js';
import { type DataInterface, openDataInterface } from '../data/dataInterface.js';
import { keyHeaders } from '../rest/credentials.js';
import type { RestInterface } from '../rest/route.js';
import type { DataRoute } from './common/dataRoute.js';

/** @throws TypeError if `data` is no data interface */
export function dataInterface(
  given: DataInterface,
  routes: readonly DataRoute[],
): RestInterface<ChainData> {
  const data = openDataInterface(given);
  return {
    base: '/v1',
    routes: routes.map((route) => route(data)),
    open: [],
    chainOf: data.chainOf,
    unit: 'calls',
    hidesMethods: false,
    tellsAge: true,
    publicUrl: data.publicUrl,
    // Clients of the interface send the last one beside a key.
    pages: { headers: [...keyHeaders, 'x-requested-with'], methods: ['GET'] },
    texts: {
      failurePrefix: '',
      node: 'The L2 node',
      noRoute: 'No such route',
      noKey: 'An API key is required',
      unknownKey: 'The API key is unknown',
      rateLimit: (units) =>
        `More than ${units} units of cost per second; a request costs 1, and 1 for each call of a contract and each block that it reads`,
      challenge: 'Basic realm="data", charset="UTF-8"',
      faults: ([first = '']) => first,
      failure: (message, status) => ({
        ...{ data: null, error: true },
        ...{ error_message: message, error_code: status },
      }),
    },
    failures: {
      400: 'The path or the query is wrong, or asks for more than a bound',
      401: 'A key is asked for, and none or an unknown one came',
      404: 'The chain is not served here; or it has no such block or transaction, or the block is not held or not final',
      405: 'The method is not GET',
      429: 'The key has asked for too much; `Retry-After` says when to ask again',
      500: 'The service failed',
      501: 'The service has no means for this, for example a node that holds old state; `error_message` names them',
      502: 'The L2 node does not answer, or answers nonsense',
      503: 'The service is busy, or its index is not ready; `Retry-After` says when to ask again',
      504: 'There was no answer in time',
    },
    failure: z
      .object({
        data: z.null(),
        error: z.literal(true),
        error_message: z.string(),
        error_code: z.int(),
      })
      .openapi('DataError'),
  };
}
