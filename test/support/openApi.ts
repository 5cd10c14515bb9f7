/** Answers held against the OpenAPI document of the service. */

import * as z from 'zod';
import type { Wire } from './runs.js';

/** A schema with what it refers to in place, and closed: a member that it does not name is wrong. */
export function closed(api: Wire, schema: Wire): Wire {
  if (Array.isArray(schema)) return schema.map((one) => closed(api, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return closed(api, api.components.schemas[schema.$ref.split('/').at(-1)]);
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(api, value)]),
  );
  return schema.properties ? { ...copy, additionalProperties: false } : copy;
}

/** What an answer has that its schema has not, and the other way round; nothing if it is as documented. */
export function issuesOf(
  api: Wire,
  operation: Wire,
  { status, body }: { status: number; body: unknown },
): unknown[] {
  const schema = closed(api, operation.responses[status].content['application/json'].schema);
  return z.safeParse(z.fromJSONSchema(schema), body).error?.issues ?? [];
}
