/** `GET /api/v1/healthcheck`: whether the decoder answers. */
import { z } from '@hono/zod-openapi';
import type { OpenRoute } from '../rest/route.js';

export function healthcheck(): OpenRoute {
  const start = performance.now();
  return {
    path: '/api/v1/healthcheck',
    summary: 'Whether the service answers',
    answer: {
      description: 'It does',
      schema: z
        .object({ success: z.literal(true), timestamp: z.string(), uptime: z.number() })
        .openapi('Health'),
      json() {
        const uptime = (performance.now() - start) / 1000;
        const timestamp = new Date().toISOString();
        return JSON.stringify({ success: true, timestamp, uptime });
      },
    },
  };
}
