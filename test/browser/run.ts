/**
 * `npm test -- browser`: the verifier and the pool in headless Chromium, with WebAssembly and under a policy that
 * forbids it. Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { type ProofItem, verifyProofs } from '../../dist/index.js';
import { absent, families, honest } from '../support/runs.js';
import { browserArgs, executablePath } from './chromium.js';

const { outputFiles } = await build({
  entryPoints: { page: 'test/browser/page.ts', worker: 'dist/pool/worker.js' },
  bundle: true,
  format: 'esm',
  outdir: '/',
  write: false,
  logLevel: 'error',
});
const scripts = new Map(outputFiles.map(({ path, text }) => [path, text]));

/** Page -> the policy that it and its worker are served with. */
const policies: Record<string, string> = {
  wasm: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  portable: "default-src 'self'; script-src 'self'",
};

const server = createServer((request, response) => {
  const [, policy = '', file = ''] = (request.url ?? '').split('/');
  const script = policy === 'broken' && file === 'worker.js' ? undefined : scripts.get(`/${file}`);
  if (file !== '' && script === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-security-policy': policies[policy] ?? (policies.wasm as string),
    'content-type': file === '' ? 'text/html' : 'text/javascript',
  });
  response.end(script ?? '<!doctype html><script type="module" src="page.js"></script>');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const items: ProofItem[] = families.flatMap((family) => {
  const { result, claim } = honest(family);
  return [
    { result, claim },
    absent(family),
    { result, claim: { ...claim, address: `0x${'11'.repeat(20)}` } },
    { result: {}, claim },
    { result, claim: { ...claim, stateRoot: '0x12' } },
  ];
});
const expected = JSON.parse(
  JSON.stringify(verifyProofs(items), (_, member) => {
    if (typeof member === 'bigint') return String(member);
    if (!(member instanceof Error)) return member;
    const { name, message, code, path } = member as Error & { code?: string; path?: string };
    return { name, message, code, path };
  }),
);

const browser = await chromium.launch({ executablePath, args: browserArgs });
try {
  const open = async (policy: string) => {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/${policy}/`);
    await page.waitForFunction('typeof run === "function"');
    return page;
  };
  for (const policy of Object.keys(policies)) {
    const page = await open(policy);
    const answer = (await page.evaluate(`run(${JSON.stringify(items)})`)) as Record<string, string>;
    assert.deepEqual(answer.wasm, [policy === 'wasm', policy === 'wasm'], 'engine');
    for (const way of ['single', 'pooled', 'streamed'] as const) {
      assert.deepEqual(JSON.parse(answer[way] as string), expected, `${policy}, ${way}`);
    }
    assert.equal(answer.frozen, true);
    assert.equal(JSON.parse(answer.closed as string).code, 'CLOSED');
    console.log(`${policy}: ${items.length} items alike in the page, the pool and here`);
  }
  const page = await open('broken');
  const error = (await page.evaluate(`runWithoutWorker(${JSON.stringify(items[0])})`)) as string;
  assert.equal(JSON.parse(error).code, 'NO_WORKERS');
  assert.match(JSON.parse(error).message, /optimizeDeps\.exclude/);
  console.log('broken: a worker that cannot be loaded is an error that says what to configure');
} finally {
  await browser.close();
  server.close();
}
