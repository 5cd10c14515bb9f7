/** Answers of the data interface: successes, as the OpenAPI document describes them. */
import { expect } from 'vitest';
import type { ServedData } from './data.js';
import { issuesOf } from './openApi.js';
import type { Wire } from './runs.js';

export interface DataAsker {
  /** Data of an answer, which must be a success and as documented. @param path behind `/v1/` */
  data(path: string): Promise<Wire>;
  /** Status and message of an answer, which must be a failure and as documented. */
  failure(path: string): Promise<{ status: number; message: string }>;
}

/** The route of the document that a path is of. */
function routeOf(api: Wire, path: string): string {
  const [plain = ''] = path.split('?');
  const segments = plain.split('/');
  const found = Object.keys(api.paths)
    .filter((route) => {
      const parts = route.split('/');
      return (
        parts.length === segments.length &&
        parts.every((part, i) => part.startsWith('{') || part === segments[i])
      );
    })
    // The one with the fewest members in its path.
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
  if (found === undefined) throw new Error(`no route is documented for ${path}`);
  return found;
}

export async function askData(served: ServedData): Promise<DataAsker> {
  const api = (await served.get('/openapi.json')).body;
  async function ask(path: string) {
    const at = `/v1/${path}`;
    const { status, body } = await served.get(at);
    const operation = api.paths[routeOf(api, at)].get;
    expect(Object.keys(operation.responses), `${at}: ${JSON.stringify(body)}`).toContain(
      String(status),
    );
    expect(issuesOf(api, operation, { status, body }), at).toEqual([]);
    return { status, body };
  }
  return {
    async data(path) {
      const { status, body } = await ask(path);
      expect({ path, status, message: body.error_message }).toEqual({
        ...{ path, status: 200, message: null },
      });
      return body.data;
    },
    async failure(path) {
      const { status, body } = await ask(path);
      expect(body).toMatchObject({ data: null, error: true, error_code: status });
      return { status, message: body.error_message };
    },
  };
}

/** Pages of a list, one after the other, each by the cursor of the one before it. @param path behind `/v1/` */
export async function* pagesOf(ask: DataAsker, path: string): AsyncGenerator<Wire> {
  const and = path.includes('?') ? '&' : '?';
  for (let cursor: string | undefined; ; ) {
    const data: Wire = await ask.data(
      cursor === undefined ? path : `${path}${and}cursor=${cursor}`,
    );
    yield data;
    expect(data.pagination.has_more).toBe(data.pagination.cursor !== null);
    if (data.pagination.cursor === null) return;
    ({ cursor } = data.pagination);
  }
}

/** The items of all these pages. */
export async function itemsOf(ask: DataAsker, path: string): Promise<Wire[]> {
  const items: Wire[] = [];
  for await (const page of pagesOf(ask, path)) items.push(...page.items);
  return items;
}

/** A time of the node's as answers have it. @param seconds a quantity */
export const timeOf = (seconds: string): string =>
  new Date(1000 * Number(seconds)).toISOString().replace('.000', '');
