/** `POST /api/v1/tx/decode`: the events of a transaction. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../bytes.js';
import { decodeForm } from '../../decode/definition/form.js';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import { codes, HttpError } from '../http/httpError.js';
import { toPassing } from '../jsonrpc/method.js';
import { defineRoute } from '../rest/route.js';
import { flagParameter } from '../rest/table.js';

const response = decodeForm<z.ZodType>({
  text: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  yes: z.literal(true),
  count: z.int().min(0),
  integer: z.string().regex(/^\d+$/).openapi({ description: 'Decimal digits' }),
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  hash: z.string().regex(/^0x[0-9a-f]{64}$/),
  bytes: z.string().regex(/^0x(?:[0-9a-f]{2})*$/),
  nullable: (value) => value.nullable(),
  optional: (value) => value.optional(),
  required: (value) => value,
  unread: (value) => value,
  list: (item) => z.array(item),
  object: (members, name) => {
    const object = z.object(members);
    return name === undefined ? object : object.openapi(name);
  },
  note: (value, more) => value.openapi(more),
});

/** @param chains names of the chains */
export const decode = (chains: readonly string[]) =>
  defineRoute<ChainDecoder>()({
    title: 'decode',
    path: '/api/v1/tx/decode',
    summary: 'The events of a transaction',
    query: {
      raw_logs: flagParameter.openapi({
        description: 'Whether events carry their log as `raw_log`',
      }),
      unknown: flagParameter.openapi({
        description: 'Whether logs that are not known give an event too',
      }),
      min_usd: z
        .string()
        .regex(/^\d{1,15}(\.\d{1,15})?$/, 'must be a number from 0')
        .optional()
        .openapi({
          description:
            'Leaves out transfers and approvals that are worth less; those without a price stay',
        })
        .transform((text) => Number(text ?? 0)),
    },
    body: {
      name: 'DecodeRequest',
      members: {
        chain_name: z
          .string({ error: 'is incorrect' })
          .refine((name) => chains.includes(name), 'is incorrect')
          .openapi({ description: `One of: ${chains.join(', ')}` }),
        tx_hash: z
          .string({ error: 'is required' })
          .regex(/^0x[0-9a-fA-F]{64}$/, {
            error: ({ input }) => (input === '' ? 'is required' : 'must be 0x and 64 hex digits'),
          })
          .transform((text) => text.toLowerCase() as Hex),
      },
    },
    answer: { description: 'The events', schema: response },
    question: ({ tx_hash: txHash, raw_logs: rawLogs, unknown, min_usd: minUsd }) => ({
      ...{ txHash, rawLogs, unknown, minUsd },
    }),
    // The cost of the logs is charged once they are known.
    cost: () => 1,
    peek(chain, question) {
      const json = chain.peek(question);
      return json === undefined ? undefined : toPassing(json);
    },
    async answerTo(chain, question, context) {
      const answer = await chain.decode(question, context);
      if (answer !== undefined) return toPassing(answer);
      const text = 'Transaction not found: unknown, or not mined yet';
      throw new HttpError(codes.resourceUnavailable, text, { status: 404 });
    },
  });
