/** The explorer in Chromium, before a devnet whose answers can be falsified on their way. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { devNetwork } from '../../../src/cli/devnet/network.js';
import { beaconOver } from '../../support/beacon/overL1.js';
import { type GuideDevnet, openGuideDevnet } from '../../support/devnet.js';
import { startHttp } from '../../support/http.js';
import { mediaTypeOf } from '../../support/page.js';
import { browserArgs, executablePath } from '../chromium.js';

export { checkAccess } from '../access.js';

/** One request of the page, and its honest answer. */
export interface Passing {
  /** `/l1`, `/l2`, `/v3/...` or a path of the data interface, with its query. */
  readonly path: string;
  /** The JSON-RPC method; undefined for the data interface. */
  readonly method: string | undefined;
  /** The honest answer, which may be changed. */
  // biome-ignore lint/suspicious/noExplicitAny: any answer of any server
  readonly body: any;
}

/** Says what a server answers in place of the truth. @returns undefined: the honest answer, with the changes that were made in it */
export type Lie = (passing: Passing) => unknown;

export interface World {
  readonly devnet: GuideDevnet;
  readonly browser: Browser;
  /** A beacon server, which has finalized a block of L1, and the root of an earlier block of its chain. */
  readonly beacon: { readonly url: string; readonly checkpoint: string };
  /** Where the page is served, with a slash. */
  readonly url: string;
  /** Between the page and all servers, until it is called without one. */
  lie(lie?: Lie): void;
  /** Whether no server can be reached. */
  cut(isCut: boolean): void;
  /** Ms before each answer. */
  delay(ms: number): void;
  /** The header beside the page's own policy; default none. */
  policy(text?: string): void;
  /** A page of a visitor of its own at a place, such as `#/address/0x...`, once all of its questions are answered. */
  open(place: string, options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Longest wait for a view, in ms: how fast a machine is decides nothing. */
const longest = 60_000;

/** Waits until nothing is asked any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('main [data-state], main form, main h1') !== null &&
      document.querySelector('main [data-state="asking"]') === null,
    undefined,
    { timeout: longest },
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** @param network of the devnet */
export async function openWorld(network = devNetwork): Promise<World> {
  const devnet = await openGuideDevnet(network);
  const beacon = await beaconOver(devnet.l1, (_, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return false;
  });
  let lie: Lie | undefined;
  let policy: string | undefined;
  let delay = 0;
  let isCut = false;
  const settings = {
    network: { ...network, beacon: beacon.network },
    l1: ['/l1'],
    proofs: '/v3/devnet-key',
    node: '/l2',
    data: { url: '/', key: 'devnet-key', chain: network.name },
    fork: 'prague',
  };

  function answerFile(path: string, response: ServerResponse): void {
    const type = mediaTypeOf(path);
    response.writeHead(200, {
      'content-type': type,
      ...(policy !== undefined && { 'content-security-policy': policy }),
    });
    response.end(readFileSync(join('dist/page', path)));
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', method, headers } = request;
    const asked = await bodyOf(request);
    if (isCut) return void response.destroy();
    const nodes = { '/l1': devnet.devnet.l1, '/l2': devnet.devnet.l2 };
    const target = path === '/l1' || path === '/l2' ? nodes[path] : devnet.devnet.data + path;
    const answer = await fetch(target, {
      method: method as string,
      headers: {
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        'content-type': headers['content-type'] ?? 'application/json',
      },
      body: method === 'POST' ? asked.toString() : null,
    });
    const text = await answer.text();
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(lie === undefined ? text : JSON.stringify(falsify(lie, { path, asked, text })));
  }

  /** Batches are falsified answer by answer. */
  function falsify(by: Lie, { path, asked, text }: { path: string; asked: Buffer; text: string }) {
    const question = asked.length > 0 ? JSON.parse(asked.toString()) : undefined;
    const change = (body: unknown, method?: string) => by({ path, method, body }) ?? body;
    const body = JSON.parse(text);
    if (!Array.isArray(question)) return change(body, question?.method);
    const methods = new Map(question.map(({ id, method }) => [id, method as string]));
    return (body as { id: number }[]).map((one) => change(one, methods.get(one.id)));
  }

  const site = await startHttp((request, response) => {
    const path = request.url ?? '';
    if (path === '/') return answerFile('index.html', response);
    if (/^\/assets\/[\w.-]+$/.test(path)) return answerFile(path, response);
    if (path === '/page.json') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(settings));
    }
    return pass(request, response).catch(() => void response.destroy());
  });
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  return {
    devnet,
    browser,
    beacon,
    url: `${site.url}/`,
    lie: (given) => void (lie = given),
    cut: (given) => void (isCut = given),
    delay: (ms) => void (delay = ms),
    policy: (text) => void (policy = text),
    async open(place, options = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options });
      const page = await context.newPage();
      page.on('pageerror', (error) => assert.fail(`the page has thrown: ${error.message}`));
      await page.goto(`${site.url}/${place}`);
      await settled(page);
      return page;
    },
    async close() {
      await browser.close();
      await site.close();
      await beacon.close();
      await devnet.close();
    },
  };
}

/** All figures of a page with a mark, as the reader sees them. */
export const figuresOf = (page: Page, mark: 'proven' | 'word' | 'missing'): Promise<string[]> =>
  page.locator(`main [data-mark="${mark}"] > .value`).allInnerTexts();
