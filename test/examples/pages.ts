/** Pages of the examples in Chromium. */
import type { Page } from 'playwright-core';
import { checkAccess } from '../browser/explorer/world.js';
import type { Example } from './example.js';
import { type Running, untilSaid } from './shell.js';

/** Serves the page by a line of the README, until it is ended. @returns its URL */
export async function serve(example: Example, line: string): Promise<Running & { url: string }> {
  const running = example.start(line, { NO_COLOR: '1' });
  const [, url = ''] = await untilSaid(running, /Local: +(\S+)/);
  return { ...running, url };
}

export { checkAccess };

/** Lets every request go to its server again; those in hand are answered first, for each may be answered once only. */
export async function endRoutes(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' });
}

/** Changes a digit of each proof on its way to the page: in JSON of the account's value, in a compact proof of its middle. */
function falsify(body: Buffer, isJson: boolean): Buffer {
  if (isJson) {
    const answer = JSON.parse(body.toString());
    const { proof } = answer.result.accountProof;
    proof.value = proof.value.replace(/.$/, (digit: string) => (digit === '0' ? '1' : '0'));
    return Buffer.from(JSON.stringify(answer));
  }
  const changed = Buffer.from(body);
  const middle = changed.length >> 1;
  changed[middle] = (changed[middle] as number) ^ 1;
  return changed;
}

/** Lies to a page about proofs. @param url of the server of proofs @returns ends it, with the number of lies */
export async function lieTo(page: Page, url: string): Promise<() => Promise<number>> {
  let lies = 0;
  const isOfServer = (asked: URL) => asked.href.startsWith(url);
  await page.route(isOfServer, async (route) => {
    if (!route.request().postData()?.includes('"l2_getProof"')) return route.fallback();
    const response = await route.fetch();
    const isJson = response.headers()['content-type']?.startsWith('application/json') === true;
    await route.fulfill({ response, body: falsify(await response.body(), isJson) });
    lies++;
  });
  return async () => {
    await endRoutes(page);
    return lies;
  };
}
