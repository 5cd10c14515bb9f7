/** Web pages of other origins that may ask. */
import type { MiddlewareHandler } from 'hono';
import { loadServicePeer } from './peers.js';

/** Whether text is an origin as browsers send it: scheme, host and port, and nothing behind. */
function isOrigin(text: string): boolean {
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** @throws RangeError for an origin that no browser would send */
export function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    if (origin !== '*' && !isOrigin(origin)) {
      throw new RangeError(
        `CORS origin "${origin}" expected * or a form like https://app.example, without a path`,
      );
    }
  }
}

/** Headers of an answer that pages may read. */
const exposed = ['l2-block-number', 'retry-after'];

/**
 * The headers that say which pages may read an answer to a call, for origins that were checked. The rule below does the
 * same for other routes; calls need it apart, because some are answered without a route.
 *
 * @returns headers for the origin that asks; undefined for a client that names none
 */
export function readersOf(
  origins: readonly string[],
): (origin: string | undefined) => Readonly<Record<string, string>> {
  const all = { 'access-control-expose-headers': exposed.join(',') };
  if (origins.includes('*')) return () => ({ ...all, 'access-control-allow-origin': '*' });
  // Caches keep the answers to several origins apart.
  const some = { ...all, vary: 'Origin' };
  return (origin) =>
    origin !== undefined && origins.includes(origin)
      ? { ...some, 'access-control-allow-origin': origin }
      : some;
}

/**
 * The rule for origins that were checked.
 *
 * @param keyHeaders headers that pages may send a key in
 * @param methods of HTTP that pages may use
 * @throws ServiceError `MISSING_PEER`
 */
export async function corsRule(
  origins: readonly string[],
  keyHeaders: readonly string[] = [],
  methods: readonly string[] = ['POST'],
): Promise<MiddlewareHandler> {
  const { cors } = await loadServicePeer('hono', import('hono/cors'));
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: [...methods],
    allowHeaders: ['content-type', ...keyHeaders],
    exposeHeaders: exposed,
    maxAge: 86_400,
  });
}
