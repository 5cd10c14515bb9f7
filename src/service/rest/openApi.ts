/** The OpenAPI document, from the tables and schemas of the routes. */
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { RestInterface, Route } from './route.js';
import { toSchema } from './table.js';

const introduction = `Turns the event logs of a transaction into events that a person can read.
The words of the node that was asked are not proven: \`tx_metadata.source\` says so.
The query parameters, \`nfts\`, \`raw_log\` and \`tx_metadata.source\` are ours.`;

/** Ways to send a key. */
const schemes = {
  goldrushKey: { type: 'apiKey', in: 'header', name: 'x-goldrush-api-key' },
  covalentKey: { type: 'apiKey', in: 'header', name: 'x-covalent-api-key' },
  basic: { type: 'http', scheme: 'basic', description: 'The key as user, without a password' },
  bearer: { type: 'http', scheme: 'bearer' },
} as const;

const json = (description: string, schema: z.ZodType) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The parts of a request to a route. */
const requestTo = ({ params, query, body }: Route) => ({
  ...(params && { params: toSchema(params) }),
  query: toSchema(query),
  ...(body && {
    body: {
      required: true,
      content: { 'application/json': { schema: toSchema(body.members).openapi(body.name) } },
    },
  }),
});

/** @param isOpen whether no key is asked for @returns JSON */
export function describeRoutes(interfaces: readonly RestInterface[], isOpen: boolean): string {
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  const names = Object.keys(schemes) as (keyof typeof schemes)[];
  for (const name of names) registry.registerComponent('securitySchemes', name, schemes[name]);
  const security = isOpen ? [] : names.map((name) => ({ [name]: [] }));
  for (const { routes, open, failures, failure } of interfaces) {
    const failing = Object.entries(failures).map(([status, text]) => [status, json(text, failure)]);
    for (const route of routes) {
      const { path, summary, description, body, answer } = route;
      registry.registerPath({
        method: body ? 'post' : 'get',
        ...{ path, summary, ...(description && { description }), security },
        request: requestTo(route),
        responses: { 200: json(answer.description, answer.schema), ...Object.fromEntries(failing) },
      });
    }
    for (const { path, summary, answer } of open) {
      const responses = { 200: json(answer.description, answer.schema) };
      registry.registerPath({ method: 'get', path, summary, responses });
    }
  }
  const info = { title: 'Transaction decoder', version: '1', description: introduction };
  return JSON.stringify(app.getOpenAPI31Document({ openapi: '3.1.0', info }));
}
