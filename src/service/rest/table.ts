/** What a query, a path or a body may have is one table of schemas: it describes the members and reads them. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../bytes.js';

/** The members read before one. */
export type Before = Readonly<Record<string, unknown>>;

/** A schema, and what depends on more than its own value. */
export interface Rule<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  /** The fault of a member that is there. @param value undefined if the schema refuses it */
  fault(value: z.output<S> | undefined, before: Before): string | undefined;
}

/** Name of a member -> what it must be. Members are read in this order. */
export type Table = Readonly<Record<string, z.ZodType | Rule>>;

/** The result of reading a table. */
export type ReadOf<T extends Table> = {
  readonly [K in keyof T]: z.output<T[K] extends Rule<infer S> ? S : T[K]>;
};

const ruleOf = (entry: z.ZodType | Rule): Partial<Rule> & Pick<Rule, 'schema'> =>
  'schema' in entry ? entry : { schema: entry };

/** The members as one schema, for the description. */
export const toSchema = (table: Table): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(table).map(([k, v]) => [k, ruleOf(v).schema])));

/** A member of a table, ready to be read. */
interface Member extends Partial<Rule> {
  readonly name: string;
  readonly schema: z.ZodType;
  /** What is read if nothing is given, as most often: to ask the schema each time costs as much as a remembered answer. */
  readonly missing: ReadValue;
}

/** The value of a member, and the schema's word on what is wrong with it. */
interface ReadValue {
  readonly data: unknown;
  readonly text: string | undefined;
}

function readValue(schema: z.ZodType, value: unknown): ReadValue {
  const { data, error } = schema.safeParse(value);
  return { data, text: error?.issues[0]?.message };
}

const prepared = new WeakMap<Table, readonly Member[]>();

function prepare(table: Table): readonly Member[] {
  const members = Object.entries(table).map(([name, entry]) => {
    const rule = ruleOf(entry);
    return { name, ...rule, missing: readValue(rule.schema, undefined) };
  });
  prepared.set(table, members);
  return members;
}

/**
 * Reads the members that a table names; others are not looked at.
 *
 * @param valuesOf all values that a member is given
 * @param faults takes what is wrong, in the order of the table
 */
export function readTable(
  table: Table,
  valuesOf: (name: string) => readonly unknown[],
  faults: string[],
): Before {
  const read: Record<string, unknown> = {};
  for (const member of prepared.get(table) ?? prepare(table)) {
    const { name, schema, missing } = member;
    const values = valuesOf(name);
    if (values.length > 1) faults.push(`${name} is given more than once`);
    const [value] = values;
    const { data, text } = value === undefined ? missing : readValue(schema, value);
    read[name] = data;
    const found = value === undefined ? undefined : member.fault?.(data, read);
    const wrong = found ?? text;
    if (wrong !== undefined) faults.push(`${name} ${wrong}`);
  }
  return read;
}

/** The values of a query by name. @param url whole; all behind its first question mark is the query */
export function parseQuery(url: string): (name: string) => readonly string[] {
  const at = url.indexOf('?');
  if (at < 0) return () => [];
  const query = new URLSearchParams(url.slice(at + 1));
  return (name) => query.getAll(name);
}

/** `true` or `false`; false if it is missing. */
export const flagParameter = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .optional()
  .transform((text) => text === 'true');

/** A whole number in decimal. @param bounds the least and the most that it may be */
export function numberRule(
  bounds: (before: Before) => readonly [least: number, most: number],
  { digits = 9, description }: { digits?: number; description: string },
) {
  const schema = z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`))
    .optional()
    .openapi({ description })
    .transform((text) => (text === undefined ? undefined : Number(text)));
  return {
    schema,
    fault(value: number | undefined, before: Before) {
      const [least, most] = bounds(before);
      const number = value ?? Number.NaN;
      if (number >= least && number <= most) return undefined;
      return `must be a whole number from ${least} to ${most}`;
    },
  };
}

/** 0x and 40 hex digits in any case; read as lower case. */
export const addressParameter = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits')
  .transform((text) => text.toLowerCase() as Hex);
