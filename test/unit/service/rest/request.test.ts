import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { toPassing } from '../../../../src/service/jsonrpc/method.js';
import { createKeyRing } from '../../../../src/service/limits/keys.js';
import { readLimits } from '../../../../src/service/limits/limits.js';
import { createQueue } from '../../../../src/service/limits/queue.js';
import {
  defineRoute,
  type NamedChain,
  type RestInterface,
} from '../../../../src/service/rest/route.js';
import { serveInterface } from '../../../../src/service/rest/serve.js';

const chain: NamedChain = { name: 'here' };
const answer = { description: 'Which chain answered', schema: z.string() };
const work = { question: () => undefined, cost: () => 1, peek: () => undefined };

const ofChain = defineRoute<NamedChain>()({
  ...{ title: 'of a chain', path: '/v1/{chain_name}/tip/', summary: 'Of a chain', answer, ...work },
  params: { chain_name: z.string() },
  query: {},
  answerTo: async ({ name }) => toPassing(JSON.stringify(name)),
});

const ofNone = defineRoute<NamedChain | undefined>()({
  ...{ title: 'of none', path: '/v1/chains/{page}/', summary: 'Of no chain', answer, ...work },
  params: { page: z.string().regex(/^\d$/, 'must be a digit') },
  query: {},
  answerTo: async (one) => toPassing(JSON.stringify(one ?? 'all')),
});

const api: RestInterface = {
  ...{ base: '/v1', routes: [ofChain, ofNone], open: [], unit: 'calls', hidesMethods: false },
  ...{ tellsAge: false, publicUrl: undefined },
  chainOf: (name) => (name === chain.name ? chain : undefined),
  pages: { headers: [], methods: ['GET'] },
  texts: {
    ...{ failurePrefix: '', node: 'The node', noRoute: 'No such route', noKey: 'No key' },
    ...{ unknownKey: 'Unknown key', challenge: 'Basic' },
    rateLimit: () => 'Too much',
    faults: (faults) => faults.join('; '),
    failure: (message) => ({ message }),
  },
  failures: {},
  failure: z.object({}),
};

test('a route with the chain in its path is of that chain, and one without is of none', async () => {
  const app = new Hono();
  const served = serveInterface(api, {
    ...{ keys: createKeyRing([]), limits: readLimits(undefined), queue: createQueue() },
    ...{ log: undefined, metrics: undefined, origins: [] },
  });
  await served.mount(app);
  const get = async (path: string) => {
    const response = await app.request(path);
    return [response.status, await response.json()];
  };
  expect(await get('/v1/here/tip/')).toEqual([200, 'here']);
  expect(await get('/v1/there/tip/')).toEqual([404, { message: 'The chain is not served here' }]);
  expect(await get('/v1/chains/7/')).toEqual([200, 'all']);
  expect(await get('/v1/chains/x/')).toEqual([400, { message: 'page must be a digit' }]);
});

test('what a URL asks is read once, as long as it is right, and the question is put anew each time', async () => {
  const read: string[] = [];
  const questions: unknown[] = [];
  const counted = defineRoute<NamedChain | undefined>()({
    ...{ title: 'counted', path: '/v1/counted/{place}/', summary: 'Counted', answer },
    params: {
      place: z.string().transform((text) => {
        read.push(text);
        return text.length;
      }),
    },
    query: { 'is-long': z.enum(['true']).optional() },
    question(values, { base }) {
      questions.push({ ...values, base });
      // As one that is named by the time at which it is asked.
      return questions.length;
    },
    cost: () => 1,
    peek: (_, question) => toPassing(JSON.stringify(question)),
    answerTo: async () => toPassing('"never"'),
  });
  const app = new Hono();
  const options = {
    ...{ keys: createKeyRing([]), limits: readLimits(undefined), queue: createQueue() },
    ...{ log: undefined, metrics: undefined, origins: [] },
  };
  await serveInterface({ ...api, routes: [counted] }, options).mount(app);
  const get = async (path: string, host = 'localhost') =>
    (await app.request(`http://${host}${path}`, { headers: { host } })).json();
  expect(await get('/v1/counted/ab/')).toBe(1);
  expect(await get('/v1/counted/ab/')).toBe(2);
  expect(read).toEqual(['ab']);
  expect(await get('/v1/counted/ab/?is-long=true')).toBe(3);
  expect(await get('/v1/counted/abc/')).toBe(4);
  expect(await get('/v1/counted/ab/', '127.0.0.1')).toBe(5);
  // One that is wrong is told so each time.
  const wrong = { message: expect.stringContaining('is-long') };
  expect(await get('/v1/counted/wrong/?is-long=no')).toEqual(wrong);
  expect(await get('/v1/counted/wrong/?is-long=no')).toEqual(wrong);
  expect(read).toEqual(['ab', 'ab', 'abc', 'ab', 'wrong', 'wrong']);
  const bases = ['localhost', 'localhost', 'localhost', 'localhost', '127.0.0.1'];
  expect(questions).toEqual(
    [2, 2, 2, 3, 2].map((place, i) => ({
      ...{ place, base: `http://${bases[i]}` },
      'is-long': i === 2 ? 'true' : undefined,
    })),
  );
});
