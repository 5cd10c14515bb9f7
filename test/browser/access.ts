/** Whether a page can be used by all. */
import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Refuses what those who see, hear or steer less well than others could not use, by WCAG 2.2 AA. */
export async function checkAccess(page: Page): Promise<void> {
  // By the protocol of the browser's own tools: the page's policy lets no text be run.
  const tools = await page.context().newCDPSession(page);
  await tools.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await tools.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ${JSON.stringify(levels)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html + failureSummary)]))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await tools.detach();
  assert.deepEqual(result.value, [], `of ${page.url()}`);
}
