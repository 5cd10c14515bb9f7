/** The site in Chromium, as its readers have it: offline but for the site's own server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { checkAccess } from '../browser/access.js';

export interface Site {
  readonly browser: Browser;
  /** With a slash. */
  readonly url: string;
}

type Scheme = 'light' | 'dark';

/** A reader whose requests to other hosts, and errors, are found by the second function. */
async function openReader(
  { browser, url }: Site,
  options: { scheme?: Scheme; width?: number } = {},
): Promise<{ context: BrowserContext; page: Page; close(): Promise<void> }> {
  const { scheme = 'light', width = 1280 } = options;
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 900 },
  });
  const faults: string[] = [];
  await context.route(/.*/, (route) => {
    const asked = route.request().url();
    if (asked.startsWith(url)) return route.continue();
    faults.push(`asked ${asked}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  return {
    context,
    page,
    async close() {
      // A request in hand is answered once, by its handler or by the end of the context.
      await context.unrouteAll({ behavior: 'wait' });
      await context.close();
      assert.deepEqual(faults, [], 'requests to other hosts, and errors');
    },
  };
}

/** Opens a page of the site and waits until its scripts run. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
}

/** A page of each kind. */
const kinds = [
  '',
  'docs/',
  'docs/verify.html',
  'docs/cli.html',
  'docs/api/',
  'docs/api/l2proof/anchor/',
  'docs/api/l2proof/anchor/functions/fetchState.html',
  'docs/api/l2proof/anchor/classes/AnchorError.html',
  'docs/api/l2proof/data/interfaces/DataClient.html',
  'bench/CALL.html',
  'deploy/Dockerfile.html',
  'CHANGELOG.html',
];

/** By WCAG 2.2 AA, in both schemes; and on a phone. */
export async function testAccess(site: Site): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, close } = await openReader(site, { scheme });
    for (const kind of kinds) {
      await open(page, site.url + kind);
      await checkAccess(page);
    }
    await page.keyboard.press('Control+k');
    await page.locator('.VPLocalSearchBox input').fill('snapshot');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    await checkAccess(page);
    await close();
  }
  const { page, close } = await openReader(site, { width: 320 });
  for (const kind of kinds.slice(0, 4)) {
    await open(page, site.url + kind);
    await checkAccess(page);
  }
  await close();
  console.log(`${kinds.length} kinds of pages can be used by all, in both schemes`);
}

/** @param pages all but those of names, of which there are hundreds alike */
export async function testPhone(site: Site, pages: readonly string[]): Promise<void> {
  const { page, close } = await openReader(site, { width: 320 });
  const wide: string[] = [];
  for (const name of pages) {
    await page.goto(site.url + name);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) wide.push(`${name}: ${width}`);
  }
  await close();
  assert.deepEqual(wide, [], 'pages that are wider than a phone');
  console.log(`${pages.length} pages fit into 320 pixels`);
}

/** What a reader types, and a page that must be among the first finds. */
const searches: readonly (readonly [asked: string, found: RegExp])[] = [
  ['SLOT_WITHHELD', /docs\/verify\.html/],
  ['fetchState', /functions\/fetchState\.html/],
  ['snapshot', /docs\/snapshot\.html/],
  ['who is trusted', /docs\/anchor\.html/],
];

/** The index comes with the first search; then no server is needed. */
export async function testSearch(site: Site): Promise<void> {
  const { context, page, close } = await openReader(site);
  await open(page, site.url);
  await page.keyboard.press('Control+k');
  const input = page.locator('.VPLocalSearchBox input');
  await input.fill('proof');
  await page.locator('.VPLocalSearchBox .result').first().waitFor();
  await context.setOffline(true);
  for (const [asked, found] of searches) {
    await input.fill(asked);
    const first = page.locator('.VPLocalSearchBox .results li:nth-child(-n+5) a.result');
    const isFound = async () => {
      const links = await first.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      return links.some((link) => found.test(link ?? ''));
    };
    // The finds follow what is typed after a moment.
    for (let tries = 0; tries < 100 && !(await isFound()); tries++) await page.waitForTimeout(100);
    const links = await first.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.ok(await isFound(), `${asked}: ${links.join(' ')}`);
  }
  await context.setOffline(false);
  await input.fill('fetchState');
  await page.locator('a.result[href*="functions/fetchState.html"]').first().click();
  await page.getByRole('heading', { name: 'fetchState()', level: 1 }).waitFor();
  await close();
  console.log(`search finds ${searches.map(([asked]) => asked).join(', ')} without a server`);
}

/** How bright the first picture is as it stands on the page, from 0 to 255. */
async function brightnessOf(page: Page): Promise<number> {
  const picture = page.locator('.vp-doc img:visible').first();
  await picture.scrollIntoViewIfNeeded();
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  const shot = (await picture.screenshot()).toString('base64');
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    return (
      data.reduce((sum, value, i) => (i % 4 === 3 ? sum : sum + value), 0) / data.length / 0.75
    );
  }, shot);
}

/** Pictures load, and have the scheme that the reader has chosen on the page. */
export async function testPictures(site: Site): Promise<void> {
  for (const [place, scheme] of [
    ['', 'light'],
    ['', 'dark'],
    ['bench/CALL.html', 'light'],
  ] as const) {
    const { page, close } = await openReader(site, { scheme });
    await open(page, site.url + place);
    const isLight = scheme === 'light';
    assert.equal((await brightnessOf(page)) > 128, isLight, `${place} ${scheme}`);
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click();
    assert.equal((await brightnessOf(page)) > 128, !isLight, `${place} switched`);
    await close();
  }
  console.log('pictures have the scheme of the page');
}

/** The explorer as a playground: an answer is taken apart, and what asks a server says what to enter. */
export async function testPlayground(site: Site): Promise<void> {
  const { page, close } = await openReader(site);
  await open(page, site.url);
  await page.locator('.VPNavBarMenu').getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('heading', { name: 'Anatomy of a proof' }).waitFor();
  await page.locator('#answer').fill(readFileSync('docs/example/answer.json', 'utf8'));
  const [root = ''] = /0x[0-9a-f]{64}/.exec(readFileSync('README.md', 'utf8')) ?? [];
  await page.locator('#root').fill(root);
  await page.getByRole('button', { name: 'Take it apart' }).click();
  const verdict = page.locator('[data-verdict]');
  await verdict.waitFor();
  assert.equal(await verdict.getAttribute('data-verdict'), 'verified');
  await page.goto(`${site.url}playground/#/address/0x${'11'.repeat(20)}`);
  await page.getByRole('heading', { name: 'Name the endpoints first' }).waitFor();
  await close();
  console.log('the playground takes an answer apart, and asks for endpoints');
}
