/** The OpenAPI document of the decoder's routes. */
import { loadDecoderPeer } from '../http/peers.js';
import { describeData } from './dataApi.js';
import { schemasOf } from './decoderSchemas.js';

export interface ApiOptions {
  /** Names of the chains. */
  readonly chains: readonly string[];
  /** Names of the chains of the data interface; none if it is not served. */
  readonly dataChains: readonly string[];
  /** Whether no key is asked for. */
  readonly isOpen: boolean;
}

/** Statuses of answers that are no success, and what they mean. */
const failures = {
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
} as const;

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

/** @returns JSON @throws ServiceError `MISSING_PEER` */
export async function describeApi({ chains, dataChains, isOpen }: ApiOptions): Promise<string> {
  const { OpenAPIHono, z } = await loadDecoderPeer(
    '@hono/zod-openapi',
    import('@hono/zod-openapi'),
  );
  const { request, query, response, failure, health } = schemasOf(z, chains);
  const app = new OpenAPIHono();
  const registry = app.openAPIRegistry;
  const names = Object.keys(schemes) as (keyof typeof schemes)[];
  for (const name of names) registry.registerComponent('securitySchemes', name, schemes[name]);
  const json = (schema: typeof response | typeof failure | typeof health, description: string) => ({
    description,
    content: { 'application/json': { schema } },
  });
  const failing = Object.entries(failures).map(([status, text]) => [status, json(failure, text)]);
  const security = isOpen ? [] : names.map((name) => ({ [name]: [] }));
  registry.registerPath({
    method: 'post',
    path: '/api/v1/tx/decode',
    summary: 'The events of a transaction',
    security,
    request: {
      query,
      body: { required: true, content: { 'application/json': { schema: request } } },
    },
    responses: { 200: json(response, 'The events'), ...Object.fromEntries(failing) },
  });
  registry.registerPath({
    method: 'get',
    path: '/api/v1/healthcheck',
    summary: 'Whether the service answers',
    responses: { 200: json(health, 'It does') },
  });
  if (dataChains.length > 0) describeData(registry, z, { chains: dataChains, security });
  const info = { title: 'Transaction decoder', version: '1', description: introduction };
  return JSON.stringify(app.getOpenAPI31Document({ openapi: '3.1.0', info }));
}
