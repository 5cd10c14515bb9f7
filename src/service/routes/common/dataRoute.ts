/** The types of the data interface's routes. */
import { z } from '@hono/zod-openapi';
import type { ChainData } from '../../data/chainData.js';
import type { OpenDataInterface } from '../../data/dataInterface.js';
import { defineRoute, type Route } from '../../rest/route.js';

/** What a route is made for. */
type ServedChains = Pick<OpenDataInterface, 'chains' | 'served'>;

/** Makes a route for the chains that are served. */
export type DataRoute = (data: ServedChains) => Route<ChainData>;

/** Makes a route about one chain. */
export const defineChainRoute = defineRoute<ChainData>();

/** The member of a path that says which chain is meant. */
export const chainName = ({ chains }: ServedChains) =>
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
