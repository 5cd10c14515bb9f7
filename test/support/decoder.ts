/** A decoder on loopback, before a real node whose answers can be counted, changed, held back. */

import type { Hex } from '../../src/bytes.js';
import type { DecodedEvent } from '../../src/decode/index.js';
import {
  createDecoder,
  createService,
  type Decoder,
  type DecoderOptions,
  type RunningServer,
  type ServiceOptions,
  startServer,
} from '../../src/service/index.js';
import type { Anvil } from './anvil.js';
import { send } from './contracts/contract.js';
import { startHttp, type TestServer } from './http.js';
import type { Wire } from './runs.js';
import type { Reply } from './service.js';

/** Changes an answer of the node; what it returns is sent instead. `params` are those of the question. */
export type Change = (answer: Wire, params: Wire[]) => unknown | Promise<unknown>;

export interface Gateway {
  readonly url: string;
  readonly server: TestServer;
  /** How often each method was asked. */
  readonly asked: Map<string, number>;
  /** By method. Answers of methods that are not here go through as they are. */
  readonly changes: Map<string, Change>;
  close(): Promise<void>;
}

/** Stands before a node. */
export async function startGateway(url: string): Promise<Gateway> {
  const asked = new Map<string, number>();
  const changes = new Map<string, Change>();
  const server = await startHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const { method, params } = JSON.parse(body);
    asked.set(method, (asked.get(method) ?? 0) + 1);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = await fetch(url, init).then((one) => one.json());
    const change = changes.get(method);
    const changed = change ? await change(answer, params) : answer;
    response.setHeader('content-type', 'application/json');
    response.end(typeof changed === 'string' ? changed : JSON.stringify(changed));
  });
  return { url: server.url, server, asked, changes, close: () => server.close() };
}

export interface ServedDecoder {
  readonly url: string;
  readonly decoder: Decoder;
  readonly server: RunningServer;
  /** Posts a body as it is, or as JSON. */
  post(body: unknown, path?: string, headers?: Record<string, string>): Promise<Reply>;
  /** Asks for a transaction of the chain `anvil`. @param query with its question mark */
  decode(hash: string, query?: string): Promise<Reply>;
  close(): Promise<void>;
}

/** Serves a decoder of the chain `anvil` on a free port. */
export async function serveDecoder(
  node: string,
  options: Partial<DecoderOptions> = {},
  serviceOptions: ServiceOptions = {},
): Promise<ServedDecoder> {
  const chains = [{ name: 'anvil', url: node }];
  const decoder = await createDecoder({ chains, recheck: 0, ...options });
  const service = await createService({ decoder, ...serviceOptions });
  const server = await startServer(service);
  const url = `http://127.0.0.1:${server.port}`;
  async function post(body: unknown, path = '/api/v1/tx/decode', headers = {}) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    ...{ url, decoder, server, post },
    decode: (hash, query = '') =>
      post({ chain_name: 'anvil', tx_hash: hash }, `/api/v1/tx/decode${query}`),
    async close() {
      await server.stop();
      await decoder.close();
    },
  };
}

/** What a person reads off an event: headings and values. */
export const detailsOf = (event: DecodedEvent): Record<string, string> =>
  Object.fromEntries(event.details.map(({ heading, value }) => [heading, value]));

/** Deploys code as it is. @returns its address */
export async function deployCode(node: Anvil, code: string): Promise<Hex> {
  // PUSH2 length DUP1 PUSH1 0a PUSH0 CODECOPY PUSH0 RETURN
  const length = (code.length / 2).toString(16).padStart(4, '0');
  const { contractAddress } = await send(node, { data: `0x61${length}80600a5f395ff3${code}` });
  return contractAddress;
}

/** Code that emits a log with one topic and no data: PUSH32 topic PUSH0 PUSH0 LOG1 STOP. */
export const logging = (topic: Hex): string => `7f${topic.slice(2)}5f5fa100`;

/** The topic of a transfer. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * Code of a hostile or odd token: emits a Transfer of one unit from nobody to nobody if it is called without data, and
 * else runs the code given.
 */
export function tokenThat(answers: string): string {
  // CALLDATASIZE PUSH1 3c JUMPI | PUSH1 1 PUSH0 MSTORE PUSH0 DUP1 PUSH32 topic PUSH1 20 PUSH0 LOG3 STOP | 3c: JUMPDEST
  const emit = `60015f525f80${`7f${transferTopic.slice(2)}`}60205fa300`;
  const target = (4 + emit.length / 2).toString(16).padStart(2, '0');
  return `3660${target}57${emit}5b${answers}`;
}
