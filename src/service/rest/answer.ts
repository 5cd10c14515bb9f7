/** A success as HTTP tells it, and the links in it. */
import { jsonType } from '../../rpc/mediaType.js';
import { isKnown } from '../http/etag.js';
import { codes, HttpError } from '../http/httpError.js';
import type { RouteAnswer } from '../jsonrpc/method.js';
import { answered, jsonHeaders } from './replies.js';
import type { NamedChain, RequestPlace, RestInterface } from './route.js';

/** Seconds that an answer which never changes may be kept: a year, the most that caches look at. */
const longest = 31_536_000;

/** Of an answer that may be another one the next time. */
const passingHeaders = { ...jsonHeaders, 'cache-control': 'no-store' };

/** The response to a request that succeeded. */
export function toRouteResponse<Chain extends NamedChain>(
  { body, tag }: RouteAnswer,
  request: Request,
  { tellsAge }: RestInterface<Chain>,
): Response {
  if (!tellsAge) return answered(body);
  if (tag === undefined) return answered(body, passingHeaders);
  const etag = `W/"${tag}"`;
  const headers = { etag, 'cache-control': `private, max-age=${longest}, immutable` };
  if (isKnown(request.headers.get('if-none-match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  // Spread last: on Node 20, to add a member to what was spread makes a new hidden class each time.
  return answered(body, { 'content-type': jsonType, ...headers });
}

/** What a host in a link may be: nothing that ends the host, or that HTML or JSON would read as markup. */
const hostForm = /^[\w.:[\]-]{1,255}$/;

/** The parts of a request that links are made of. They are read only if a route asks. */
export class Place implements RequestPlace {
  readonly #request: Request;
  readonly #publicUrl: string | undefined;

  constructor(request: Request, publicUrl: string | undefined) {
    this.#request = request;
    this.#publicUrl = publicUrl;
  }

  get base(): string {
    if (this.#publicUrl !== undefined) return this.#publicUrl;
    const host = this.#request.headers.get('host') ?? new URL(this.#request.url).host;
    if (hostForm.test(host)) return `http://${host}`;
    throw new HttpError(codes.invalidRequest, 'The header Host is wrong', { status: 400 });
  }
}
