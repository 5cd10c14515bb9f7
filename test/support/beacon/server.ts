/** A server of the beacon API for a chain that is made up, with faults. */
import type { ServerResponse } from 'node:http';
import { startHttp } from '../http.js';
import { type Chain, finalityOf } from './chain.js';
import type { ApiObject } from './ssz.js';

export type Route = 'bootstrap' | 'updates' | 'finality_update';

export interface ServeOptions {
  /** The slot that it is now. */
  readonly head: () => number;
  /** Changes an answer before it is sent. */
  readonly fault?: (route: Route, answer: ApiObject) => ApiObject;
  /** Answers in place of the server; true if it has. */
  readonly instead?: (route: Route, response: ServerResponse) => boolean;
}

/** What the chain has finalized at a slot: the epoch before the last one. */
const finalAt = (slot: number): number => Math.max(8, 8 * Math.floor(slot / 8) - 16);

/** One update for each period of 64 slots, as far as the chain has come. */
function updateOf(chain: Chain, period: number, head: number): ApiObject | undefined {
  const attested = 64 * period + 40;
  return attested < head ? chain.update({ attested, finalized: finalAt(attested) }) : undefined;
}

/** Serves on a free port. @returns its URL, and the paths that were asked for */
export async function serveBeacon(chain: Chain, options: ServeOptions) {
  const { head, fault = (_, answer) => answer, instead = () => false } = options;
  const asked: string[] = [];
  const known = new Map<string, ApiObject>();
  // Signatures take time, and never change.
  const once = (name: string, make: () => ApiObject): ApiObject => {
    if (!known.has(name)) known.set(name, make());
    return structuredClone(known.get(name));
  };

  function answerTo(route: Route, url: URL): ApiObject {
    const version = 'electra';
    if (route === 'bootstrap') {
      const root = url.pathname.split('/').at(-1);
      for (let slot = 8; slot <= head(); slot += 8) {
        if (chain.root(slot) === root) return { version, data: chain.bootstrap(slot) };
      }
      return undefined;
    }
    if (route === 'updates') {
      const first = Number(url.searchParams.get('start_period'));
      const count = Number(url.searchParams.get('count'));
      return Array.from({ length: count }, (_, i) =>
        once(`${first + i} ${64 * (first + i) + 40 < head()}`, () =>
          updateOf(chain, first + i, head()),
        ),
      ).flatMap((data) => (data === undefined ? [] : [{ version, data }]));
    }
    const attested = head() - 1;
    const data = once(`at ${attested}`, () =>
      finalityOf(chain.update({ attested, finalized: finalAt(attested) })),
    );
    return { version, data };
  }

  const { url, close } = await startHttp((request, response) => {
    const target = new URL(request.url as string, 'http://beacon');
    asked.push(`${target.pathname}${target.search}`);
    const [, route] = /^\/eth\/v1\/beacon\/light_client\/(\w+)/.exec(target.pathname) ?? [];
    if (instead(route as Route, response)) return;
    const answer = fault(route as Route, answerTo(route as Route, target));
    if (answer === undefined) response.writeHead(404).end('{"code":404,"message":"not found"}');
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  return { url, close, asked };
}
