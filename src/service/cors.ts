/** Web pages of other origins that may ask. */
import type { MiddlewareHandler } from 'hono';
import { loadPeer } from './peers.js';

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
  const { cors } = await loadPeer('hono', import('hono/cors'));
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: [...methods],
    allowHeaders: ['content-type', ...keyHeaders],
    exposeHeaders: ['l2-block-number', 'retry-after'],
    maxAge: 86_400,
  });
}
