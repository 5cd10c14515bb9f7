/** RpcHandler on platforms that have Request and Response. */
import type { Hono } from 'hono';
import { readRequestText } from '../http/body.js';
import { corsRule } from '../http/cors.js';
import { type HttpReply, type HttpRequest, wholeBody } from '../http/http.js';
import { pieceMemory } from '../http/pieceMemory.js';
import type { RpcHandler } from './rpcHandler.js';

export const toHttpRequest = (request: Request): HttpRequest => ({
  method: request.method,
  header: (name) => request.headers.get(name) ?? undefined,
  text: (maxBytes) => readRequestText(request, maxBytes),
  isGone: () => request.signal.aborted,
});

export function toResponse({ status, headers, body }: HttpReply): Response {
  const whole = body && wholeBody(body);
  // It is a copy, so the pieces are needed no more.
  if (body) pieceMemory.giveBack(body);
  return new Response(whole as BodyInit | undefined, { status, headers });
}

/** Adds the routes to `/v3`. @param origins whose pages may ask @throws ServiceError `MISSING_PEER` */
export async function mountRpcHandler(
  app: Hono,
  rpcHandler: RpcHandler,
  origins: readonly string[],
): Promise<void> {
  const answer = async (request: Request, key: string) =>
    toResponse(await rpcHandler.answer(toHttpRequest(request), key));
  // For preflight requests of browsers. The answers to calls say themselves who may read them.
  if (origins.length > 0) app.options('/v3/*', await corsRule(origins));
  for (const path of ['/v3/:key', '/v3/:key/'] as const) {
    app.all(path, ({ req }) => answer(req.raw, req.param('key')));
  }
  for (const path of ['/v3', '/v3/']) app.all(path, ({ req }) => answer(req.raw, ''));
}
