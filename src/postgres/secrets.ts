/** Secrets of a connection to PostgreSQL, kept out of errors: a server, or a pooler before it, may repeat what it was sent. */
import { decoded, type Redact, redactKeys } from '../rpc/redact.js';

/** Parameters of a connection string that are no secrets: their values stand in messages that help. */
const plain =
  /^(ssl(mode|rootcert|cert|key)|user|host|port|dbname|(fallback_)?application_name|.*_timeout)$/;

const asText = (value: unknown): string[] => (typeof value === 'string' ? [value] : []);

function keysOf(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password, search, searchParams } = new URL(text);
  const pairs = search.slice(1).split('&');
  const raw = pairs.filter((pair) => !plain.test(pair.split('=')[0] as string));
  const values = raw.map((pair) => pair.slice(pair.indexOf('=') + 1));
  const read = [...searchParams].filter(([name]) => !plain.test(name)).map(([, value]) => value);
  return [password, ...values, ...read].flatMap((key) => [key, ...decoded(key)]);
}

/** Members of a pool of `pg` that hold what it was made with. */
interface Made {
  readonly options?: { readonly connectionString?: unknown; readonly password?: unknown };
}

/** Takes the password, and what else could be a key, out of texts. @param target a connection string, or a pool */
export function redactTarget(target: string | object): Redact {
  const { options = {} } = typeof target === 'string' ? {} : (target as Made);
  const { connectionString, password } = options;
  const texts = typeof target === 'string' ? [target] : asText(connectionString);
  const given = [password, process.env.PGPASSWORD].flatMap(asText);
  return redactKeys([...texts.flatMap(keysOf), ...given]);
}

/** By error: how its texts can be shown. What they mean follows from the texts as they came. */
const redacts = new WeakMap<object, Redact>();

/** Remembers whose error it is. @returns the error */
export function markError<E>(error: E, redact: Redact): E {
  if (typeof error === 'object' && error !== null) redacts.set(error, redact);
  return error;
}

/** A text of an error's server, fit to be shown. */
export const shownText = (error: object, text: string): string =>
  redacts.get(error)?.(text) ?? text;

/** Whether an error says nothing that cannot be shown, in any member. */
export function isClean(error: object): boolean {
  const texts = Object.getOwnPropertyNames(error).flatMap((name) =>
    asText((error as Record<string, unknown>)[name]),
  );
  return texts.every((text) => shownText(error, text) === text);
}
