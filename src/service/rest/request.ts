/** One request to a route: whose it is, and what it asks. */
import { ownMember } from '../../foreign/members.js';
import { entryBytes, LruCache } from '../../lru.js';
import { readRequestText } from '../http/body.js';
import { hasMoreMarks } from '../http/bodyMarks.js';
import { codes, HttpError } from '../http/httpError.js';
import { type Client, readInTurn, readingCost, type Scheduler } from '../jsonrpc/scheduler.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Rates } from '../limits/rates.js';
import { findKey } from './credentials.js';
import { type ApiTexts, noSuchRoute } from './replies.js';
import type { NamedChain, RestInterface, Route } from './route.js';
import { type Before, parseQuery, readTable, type Table } from './table.js';

/** One request on its way. */
export interface RequestContext<Chain extends NamedChain> {
  readonly request: Request;
  readonly route: Route<Chain>;
  /** The value of a member of the path. */
  readonly param: (name: string) => string | undefined;
  chain: Chain | undefined;
  /** Place of the key, once it is known. */
  keyIndex: number | undefined;
  /** Units of cost that the work has shown. */
  units: number | undefined;
}

/** What the requests to an interface are read with. */
interface Reading<Chain extends NamedChain> {
  readonly api: RestInterface<Chain>;
  readonly keys: KeyRing;
  readonly rates: Rates;
  readonly scheduler: Scheduler;
  readonly limits: ServiceLimits;
}

/** The place of the key. A request without a body is charged here: there is nothing more to read. @throws HttpError */
export function admit<Chain extends NamedChain>(
  { request, route }: RequestContext<Chain>,
  { api: { texts, hidesMethods }, keys, rates }: Reading<Chain>,
): number {
  const methods = route.body ? ['POST'] : ['GET', 'HEAD'];
  const isWrong = !methods.includes(request.method);
  if (isWrong && hidesMethods) throw noSuchRoute(texts);
  const key = findKey(request);
  const keyIndex = keys.find(key);
  if (keyIndex === undefined) {
    const text = key === '' ? texts.noKey : texts.unknownKey;
    throw new HttpError(codes.invalidRequest, text, { status: 401 });
  }
  if (isWrong) throw new HttpError(codes.invalidRequest, `Expected ${methods[0]}`, { status: 405 });
  if (!route.body) rates.charge(keyIndex, 1);
  return keyIndex;
}

/** Most `"`, `,`, `[` and `{` of a body: a route takes a few texts. */
const maxMarks = 1000;

/** The values of a body by name: its own members alone. @returns text: what is wrong with the body as a whole */
export function parseBodyMembers(text: string): string | ((name: string) => readonly unknown[]) {
  if (hasMoreMarks(text, maxMarks)) return 'the body has too many values';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    return 'the body is no JSON';
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return 'the body must be an object';
  }
  return (name) => [ownMember(body, name)];
}

const toInvalid = (texts: ApiTexts, faults: readonly string[]) =>
  new HttpError(codes.invalidParams, texts.faults(faults), { status: 400 });

/** Reads a table of a route. @throws HttpError that says what is wrong */
function readMembers<Chain extends NamedChain>(
  table: Table,
  valuesOf: (name: string) => readonly unknown[],
  { api: { texts } }: Reading<Chain>,
): Before {
  const faults: string[] = [];
  const values = readTable(table, valuesOf, faults);
  if (faults.length > 0) throw toInvalid(texts, faults);
  return values;
}

/** What a request without a body asks, by the tables of its route. @throws HttpError */
function readUrl<Chain extends NamedChain>(
  { request, route, param, chain }: RequestContext<Chain>,
  reading: Reading<Chain>,
): Before {
  const { params = {}, query } = route;
  if ('chain_name' in params && chain === undefined) {
    throw new HttpError(codes.invalidParams, 'The chain is not served here', { status: 404 });
  }
  const inPath = readMembers(params, (name) => [param(name)], reading);
  return { ...inPath, ...readMembers(query, parseQuery(request.url), reading) };
}

/** Bytes in memory of what URLs ask: that of some thousands. */
const maxKept = 2 ** 22;

/**
 * Reads what requests without a body ask. What a URL asks is kept: its text alone decides it, and to read it anew takes as
 * long as all else that the answer takes if that is remembered.
 */
export function createUrlReader<Chain extends NamedChain>(
  reading: Reading<Chain>,
): (context: RequestContext<Chain>) => Before {
  const kept = new LruCache<string, Before>(
    maxKept,
    (_, { length }) => 2 * entryBytes + 6 * length,
  );
  return (context) => {
    const { url } = context.request;
    const known = kept.get(url);
    if (known !== undefined) return known;
    const read = readUrl(context, reading);
    // Many requests share it.
    for (const value of [read, ...Object.values(read)]) Object.freeze(value);
    kept.set(url, read);
    return read;
  };
}

/** What a request with a body asks, which also says of which chain. @throws HttpError */
export async function readPosted<Chain extends NamedChain>(
  context: RequestContext<Chain>,
  reading: Reading<Chain>,
  client: Client,
): Promise<Before> {
  const { request, route } = context;
  const { api, rates, scheduler, limits } = reading;
  const inQuery = readMembers(route.query, parseQuery(request.url), reading);
  const { time, bodyBytes } = limits;
  const text = await client.clock.race(
    readRequestText(request, bodyBytes),
    () =>
      new HttpError(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 }),
  );
  // A body is paid for before it is read.
  rates.charge(client.keyIndex, readingCost(text));
  const inBody = await readInTurn(scheduler, client, text, () => {
    const valuesOf = parseBodyMembers(text);
    if (typeof valuesOf === 'string') throw toInvalid(api.texts, [valuesOf]);
    return readMembers(route.body?.members ?? {}, valuesOf, reading);
  });
  context.chain = api.chainOf(String(inBody.chain_name));
  return { ...inQuery, ...inBody };
}
