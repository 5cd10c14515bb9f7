/** Pages of the examples in Chromium. */
import type { Page } from 'playwright-core';
import { checkAccess } from '../browser/explorer/world.js';
import type { Wire } from '../support/runs.js';
import type { Example } from './example.js';
import { type Running, untilSaid } from './shell.js';

/** Serves the page by a line of the README, until it is ended. @returns its URL */
export async function serve(example: Example, line: string): Promise<Running & { url: string }> {
  const running = example.start(line, { NO_COLOR: '1' });
  const [, url = ''] = await untilSaid(running, /Local: +(\S+)/);
  return { ...running, url };
}

export { checkAccess };

/** Changes what the server behind a URL answers to a method, on its way to the page. @returns ends it */
export async function lieTo(
  page: Page,
  { url, method, lie }: { url: string; method: string; lie: (result: Wire) => void },
): Promise<() => Promise<void>> {
  const isOfServer = (asked: URL) => asked.href.startsWith(url);
  await page.route(isOfServer, async (route) => {
    const asked = route.request().postDataJSON();
    if (asked?.method !== method) return route.fallback();
    const response = await route.fetch();
    const answer = await response.json();
    lie(answer.result);
    await route.fulfill({ response, json: answer });
  });
  return () => page.unroute(isOfServer);
}
