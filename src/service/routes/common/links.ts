/** Links to other pages: absolute, and without a query, for clients put their own behind them. */
import { z } from '@hono/zod-openapi';

export const links = z.object({
  prev: z.string().nullable().openapi({ description: 'The page of older items' }),
  next: z.string().nullable().openapi({ description: 'The page of newer items' }),
});

export interface PageLinks {
  readonly prev: string | null;
  readonly next: string | null;
}
