/** Asks the routes of one interface. */
import type { core } from 'zod/mini';
import { wrongType } from '../../errors.js';
import type { Redact } from '../../rpc/redact.js';
import { parseEnvelope, readAs } from './answer.js';
import type { Http } from './http.js';
import { type Query, toParams } from './query.js';
import { findTrust, type GivenTrust, type Trust } from './trust.js';

export interface RouteQuestion<T> {
  /** From the version on, with its slashes. */
  readonly path: string;
  readonly query?: Query;
  /** What the data must be. */
  readonly schema: core.$ZodType<T>;
  readonly signal: AbortSignal | undefined;
}

/** Part of an answer about one thing. */
export interface Unprovable {
  /** With an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export interface Routes {
  /** The path that the routes of a chain begin with. @param chainName default: the client's @throws TypeError */
  pathOf(chainName: string | undefined): string;
  /** An answer to a question that takes no anchor: if the client has one, it says that nothing of it can be proven. */
  unprovableItem<T extends object>(item: T): T & Unprovable;
  /** What a request trusts, or else the client. @throws TypeError, the signal's reason, and what finding the root fails with */
  trustOf(
    given: GivenTrust & { readonly signal: AbortSignal | undefined },
  ): Promise<Trust | undefined>;
  /** The data of an answer. @throws DataError, or the signal's reason */
  ask<T>(question: RouteQuestion<T>): Promise<T>;
}

/** @throws TypeError */
export function checkChain(name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw wrongType('chainName', 'expected a name; give it here, or "chain" to the client');
}

/** Segments of a path that need no escapes but those of their own. */
const pathForm = /^(\/[\w.~:@!$&'()*+,;=%-]+)+\/?$/;

/** @throws TypeError */
export function checkPath(path: unknown): asserts path is string {
  const isPath = typeof path === 'string' && pathForm.test(path);
  if (isPath && !path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) return;
  throw wrongType('path', 'expected a path like /v1/linea-mainnet/block_v2/latest/');
}

export interface RoutesOptions {
  readonly http: Http;
  readonly headers: Readonly<Record<string, string>>;
  readonly redact: Redact;
  /** The client's own chain. */
  readonly chain: string | undefined;
  /** What the client trusts. */
  readonly trust: GivenTrust;
}

export const createRoutes = ({ http, headers, redact, chain, trust }: RoutesOptions): Routes => ({
  unprovableItem: (item) =>
    trust.anchor === undefined ? item : { ...item, assumed: ['everything'] },
  trustOf: (given) => findTrust(given, trust),
  pathOf(chainName = chain) {
    checkChain(chainName);
    const path = `/v1/${encodeURIComponent(chainName)}/`;
    checkPath(path);
    return path;
  },
  ask: ({ path, query = {}, schema, signal }) =>
    http.ask({ path, query: toParams(query), headers, signal }, (answer) =>
      readAs(schema, parseEnvelope(answer, redact), answer.status, redact),
    ),
});
