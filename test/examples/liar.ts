/** A server between a program and the truth, which changes what it likes. */
import { startHttp, type TestServer } from '../support/http.js';
import type { Wire } from '../support/runs.js';

/** @param asked the call; undefined if it is no JSON-RPC @returns what is answered */
export type Lie = (answer: Wire, asked: { method: string; params: Wire[] } | undefined) => Wire;

/** @param target URL of the honest server @param deafTo a method that it hands on to nobody */
export const startLiar = (target: string, lie: Lie, deafTo?: string): Promise<TestServer> =>
  startHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = body === '' ? undefined : JSON.parse(body);
    if (deafTo !== undefined && asked?.method === deafTo) {
      const error = { code: -32000, message: 'not now' };
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
    }
    const { authorization } = request.headers;
    const answer = await fetch(new URL(request.url as string, target), {
      method: request.method as string,
      headers: {
        'content-type': 'application/json',
        ...(authorization !== undefined && { authorization }),
      },
      body: body === '' ? null : body,
    });
    const told = (await answer.json()) as Wire;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    const answers = Array.isArray(told)
      ? told.map((one: Wire) =>
          lie(
            one,
            asked.find(({ id }: Wire) => id === one.id),
          ),
        )
      : lie(told, asked);
    response.end(JSON.stringify(answers));
  });
