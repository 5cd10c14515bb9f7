/** Pages of another name that was pointed here (DNS rebinding): nothing that listens without keys tells them anything. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type FollowMetrics, startFollowMetrics } from '../../src/cli/listen/followMetrics.js';
import { isSentToLoopback } from '../../src/loopback.js';

const own = ['localhost', 'LOCALHOST:80', '127.0.0.1:9464', '127.9.9.9', '[::1]', '[::1]:9464'];
const others = [
  ...[
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost.',
    'xlocalhost',
  ],
  ...[
    '127.0.0.1@evil.example',
    '0.0.0.0',
    '10.0.0.1',
    '[::]',
    '::1',
    'localhost:x',
    'localhost:',
    '',
  ],
];

test.each(own)('%s is this machine', (host) => {
  expect(isSentToLoopback(host)).toBe(true);
});

test.each(others)('"%s" is another', (host) => {
  expect(isSentToLoopback(host)).toBe(false);
});

describe('the metrics of followers', () => {
  let metrics: FollowMetrics | undefined;
  afterEach(async () => {
    await metrics?.close();
    metrics = undefined;
  });

  async function get(path: string, host: string) {
    metrics ??= await startFollowMetrics(0);
    const request = httpRequest({ host: '127.0.0.1', port: metrics.port, path, agent: false });
    request.setHeader('host', host).end();
    const [response] = await once(request, 'response');
    return { status: response.statusCode as number, text: await textOf(response) };
  }

  test('are told to this machine', async () => {
    for (const host of own) {
      const { status, text } = await get('/metrics', host);
      expect([host, status]).toEqual([host, 200]);
      expect(text).toContain('l2proof_follow_distrusted 0');
    }
  });

  test('and to no page of another name, which cannot even see what paths there are', async () => {
    for (const host of others) {
      for (const path of ['/metrics', '/']) {
        const { status, text } = await get(path, host);
        expect([host, status]).toEqual([host, 403]);
        expect(text).toMatch(/^the Host header names another machine/);
      }
    }
  });
});
