/** What the routes of the data interface share. */
import { z } from '@hono/zod-openapi';
import type { ChainData } from '../data/chainData.js';
import { type DataInterface, openDataInterface } from '../data/dataInterface.js';
import { keyHeaders } from '../rest/credentials.js';
import type { RestInterface, Route } from '../rest/route.js';

/** The member of a path that says which chain is meant. @param chains names of the chains */
export const chainName = (chains: readonly string[]) =>
  z.string().openapi({ description: `One of ${chains.join(', ')}; or the number of the chain` });

/** An answer with the envelope of the interface around its data. @param name of the whole, in the description */
export const enveloped = ({
  name,
  description,
  data,
}: {
  name: string;
  description: string;
  data: z.ZodType;
}) => ({
  description,
  schema: z
    .object({ data, error: z.literal(false), error_message: z.null(), error_code: z.null() })
    .openapi(name),
});

/** @throws TypeError if `data` is no data interface */
export function dataInterface(
  given: DataInterface,
  routes: readonly ((chains: readonly string[]) => Route<ChainData>)[],
): RestInterface<ChainData> {
  const data = openDataInterface(given);
  return {
    base: '/v1',
    routes: routes.map((route) => route(data.chains)),
    open: [],
    chainOf: data.chainOf,
    unit: 'calls',
    hidesMethods: false,
    // Clients of the interface send the last one beside a key.
    pages: { headers: [...keyHeaders, 'x-requested-with'], methods: ['GET'] },
    texts: {
      failurePrefix: '',
      node: 'The L2 node',
      noRoute: 'No such route',
      noKey: 'An API key is required',
      unknownKey: 'The API key is unknown',
      rateLimit: (units) =>
        `More than ${units} units of cost per second; a request costs 1, and 1 for each call of a contract`,
      challenge: 'Basic realm="data", charset="UTF-8"',
      faults: ([first = '']) => first,
      success: (json) => `{"data":${json},"error":false,"error_message":null,"error_code":null}`,
      failure: (message, status) => ({
        ...{ data: null, error: true },
        ...{ error_message: message, error_code: status },
      }),
    },
    failures: {
      400: 'The address or the query is wrong',
      401: 'A key is asked for, and none or an unknown one came',
      404: 'The chain is not served here, or the block is not held or not final',
      405: 'The method is not GET',
      429: 'The key has asked for too much; `Retry-After` says when to ask again',
      500: 'The service failed',
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
