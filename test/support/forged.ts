/** A node that lies: a server before a real one, that edits single answers. */
import type { RpcAnswer } from './answers.js';
import type { Anvil } from './anvil.js';
import { startHttp, type TestServer } from './http.js';
import type { Wire } from './runs.js';

/** What becomes of an answer's result; undefined: an error in its place. */
export type Forge = (method: string, params: Wire[], result: Wire) => unknown;

/** Forwards every question to the node. */
export function startForged(node: Anvil, forge: Forge): Promise<TestServer> {
  return startHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    const answer = await fetch(node.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await answer.json()) as RpcAnswer;
    const forged = error ? undefined : await forge(method, params, result);
    const outcome =
      forged === undefined
        ? { error: error ?? { code: -32601, message: 'no such method' } }
        : { result: forged };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  });
}
