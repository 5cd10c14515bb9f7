/** The client against beacon servers of our own, which lie in each way that they can. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLightClient, type LightClientStorage } from '../../../../src/beacon/index.js';
import { makeChain } from '../../../support/beacon/chain.js';
import { failure, serveClients } from '../../../support/beacon/clients.js';
import type { Route, ServeOptions } from '../../../support/beacon/server.js';
import type { ApiObject } from '../../../support/beacon/ssz.js';
import { newFolder } from '../../../support/folder.js';
import { until } from '../../../support/until.js';

const { network, chain, checkpoint, timeOf, head, serve, open } = serveClients();

/** What is kept, in memory. */
function keep(text?: string): LightClientStorage & { text: string | undefined } {
  const storage = {
    text,
    get: () => storage.text,
    set: (next: string) => {
      storage.text = next;
    },
  };
  return storage;
}
const flip = (text: string) => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;

const newest = {
  slot: 160,
  blockRoot: chain.root(160),
  executionBlockHash: chain.blockAt(160).blockHash,
  slotTimestamp: BigInt(timeOf(160) / 1000),
  ...{ checkpoint, signers: 32, committeeSize: 32 },
};

describe('an honest server', () => {
  test('leads from the checkpoint over periods and a fork to the newest final block', async () => {
    const { url, asked } = await serve();
    const client = open(url);
    expect(await client.sync()).toEqual(newest);
    expect(asked.map((path) => path.replace(/^.*light_client\//, ''))).toEqual([
      `bootstrap/${checkpoint}`,
      'updates?start_period=0&count=3',
      'finality_update',
    ]);
    expect(client.servers()).toEqual([{ place: 1, lies: 0, error: undefined }]);
    // Once a slot is enough.
    expect(await client.finalized()).toEqual(newest);
    expect(asked.length).toBe(3);
  });

  test('is asked once by all who ask at once', async () => {
    const { url, asked } = await serve();
    const client = open(url);
    const [a, b] = await Promise.all([client.finalized(), client.finalized()]);
    expect([a, b]).toEqual([newest, newest]);
    expect(asked.length).toBe(3);
  });

  test('shows each newer block to those who subscribe', async () => {
    let slot = head;
    const { url } = await serve({ head: () => slot });
    const quick = { ...network, secondsPerSlot: 1 };
    const blocks: number[] = [];
    const now = () => 1000 * (quick.genesisTime + slot);
    const client = open(url, { network: quick, now });
    const end = client.subscribe(
      (block) => blocks.push(block.slot),
      (error) => {
        throw error;
      },
    );
    await until(() => blocks.length === 1, 'the first block is there');
    slot += 8;
    await until(() => blocks.length === 2, 'the second block is there');
    end();
    expect(blocks).toEqual([160, 168]);
  });

  test('ends its work with the signal', async () => {
    const { url } = await serve();
    const reason = new Error('enough');
    await expect(open(url, { signal: AbortSignal.abort(reason) }).sync()).rejects.toBe(reason);
    const own = AbortSignal.abort(reason);
    await expect(open(url).finalized(own)).rejects.toBe(reason);
    const ender = new AbortController();
    const running = open(url, { signal: ender.signal }).sync();
    ender.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});

describe('a server that lies', () => {
  /** Changes the `data` of each answer of a route. */
  const on = (route: Route, change: (data: ApiObject, i: number) => ApiObject) =>
    ((at, answer) => {
      if (at !== route || answer === undefined) return answer;
      if (!Array.isArray(answer)) return { ...answer, data: change(answer.data, 0) };
      return answer.map((each, i) => ({ ...each, data: change(each.data, i) }));
    }) satisfies ServeOptions['fault'];
  const other = makeChain(network, { seed: 'other' });

  const lies: [string, Partial<ServeOptions>, string, typeof chain?][] = [
    ['another chain', { fault: on('bootstrap', () => other.bootstrap(8)) }, 'WRONG_CHECKPOINT'],
    [
      'a committee that was swapped',
      {
        fault: on('updates', (data, i) =>
          i === 0 ? data : { ...data, next_sync_committee: other.committeeOf(3).json },
        ),
      },
      'BAD_COMMITTEE',
    ],
    [
      'updates of another period',
      { fault: (route, answer) => (route === 'updates' ? answer.slice(1) : answer) },
      'WRONG_PERIOD',
    ],
    [
      'an update that skips a period',
      {
        fault: (route, answer) => (route === 'updates' ? [answer[0], ...answer.slice(2)] : answer),
      },
      'WRONG_PERIOD',
    ],
    [
      'a signature with a flipped bit',
      {
        fault: on('finality_update', (data) => ({
          ...data,
          sync_aggregate: {
            ...data.sync_aggregate,
            sync_committee_signature: flip(data.sync_aggregate.sync_committee_signature),
          },
        })),
      },
      'BAD_SIGNATURE',
    ],
    [
      'half the participants',
      {
        fault: on('finality_update', (data) => ({
          ...data,
          sync_aggregate: { ...data.sync_aggregate, sync_committee_bits: '0xffff0000' },
        })),
      },
      'BAD_SIGNATURE',
    ],
    ['no object at all', { fault: () => '[1, 2' }, 'BAD_ANSWER'],
    [
      'more updates than were asked for',
      { fault: (_, answer) => (Array.isArray(answer) ? [...answer, ...answer] : answer) },
      'BAD_ANSWER',
    ],
    [
      'a huge answer',
      {
        instead: (route, response) => {
          if (route === 'finality_update') response.end('0'.repeat(100_000));
          return route === 'finality_update';
        },
      },
      'BAD_ANSWER',
    ],
  ];

  test.each(lies)(
    '%s: it alone is refused, beside an honest one it is named',
    async (_, fault, code) => {
      const liar = await serve(fault);
      // So little that only the newest block is young enough.
      const maxAge = timeOf(head) - timeOf(159);
      const alone = open(liar.url, { maxAge });
      const error = await failure(alone.finalized());
      // What it gave before its lie may hold, and be too old.
      expect([code, 'STALE', 'NO_FINALITY']).toContain(error.code);
      expect(alone.servers()[0]?.error?.code).toBe(code);

      const honest = await serve();
      const client = open([liar.url, honest.url]);
      expect(await client.finalized()).toEqual(newest);
      const [first, second] = client.servers();
      expect(second).toEqual({ place: 2, lies: 0, error: undefined });
      expect(first?.error?.code).toBe(code);
      expect(first?.error?.message).toMatch(/server 1: /);
    },
  );

  test('is asked less and less', async () => {
    let slot = head;
    const liar = await serve({ head: () => slot, fault: () => ({ data: {} }) });
    const honest = await serve({ head: () => slot });
    const client = open([liar.url, honest.url], { now: () => timeOf(slot) });
    await client.sync();
    const before = liar.asked.length;
    for (let round = 0; round < 12; round++) {
      slot += 1;
      await client.sync();
    }
    expect(client.servers()[0]?.lies).toBeGreaterThan(1);
    expect(liar.asked.length - before).toBeLessThan(6);
    expect(honest.asked.length).toBeGreaterThan(12);
  });

  test('with an old answer, the newest counts', async () => {
    const slow = await serve({ head: () => head - 16 });
    const honest = await serve();
    for (const urls of [
      [slow.url, honest.url],
      [honest.url, slow.url],
    ]) {
      const client = open(urls);
      expect(await client.finalized()).toEqual(newest);
      expect(client.servers().map(({ lies: count }) => count)).toEqual([0, 0]);
    }
  });

  test('valid data of another network is refused', async () => {
    const elsewhere = { ...network, genesisValidatorsRoot: `0x${'5b'.repeat(32)}` } as const;
    const { url } = await serve({}, makeChain(elsewhere));
    expect((await failure(open(url).sync())).code).toBe('BAD_SIGNATURE');
  });

  test('whatever the version says, the slots decide', async () => {
    const { url } = await serve({
      fault: (_, answer) =>
        Array.isArray(answer)
          ? answer.map((each) => ({ ...each, version: 'phase0' }))
          : { ...answer, version: 7 },
    });
    expect(await open(url).finalized()).toEqual(newest);
  });
});

describe('each difficulty says what to do', () => {
  test('a server without the routes', async () => {
    const { url } = await serve({ fault: () => undefined });
    const error = await failure(open(url).sync());
    expect(error.code).toBe('NO_ROUTES');
    expect(error.message).toMatch(/no routes for light clients; ask another one/);
  });

  test('a bootstrap that is not held', async () => {
    const { url } = await serve();
    const error = await failure(open(url, { checkpoint: `0x${'12'.repeat(32)}` }).sync());
    expect(error.code).toBe('NO_BOOTSTRAP');
    expect(error.message).toMatch(/take the first block of a newer epoch, or ask another server/);
  });

  test('an old checkpoint, unless it is allowed', async () => {
    const { url } = await serve();
    const error = await failure(open(url, { maxCheckpointAge: 60_000 }).sync());
    expect(error.code).toBe('OLD_CHECKPOINT');
    expect(error.message).toMatch(/"maxCheckpointAge" allows 0 hours; take a newer one/);
    expect(await open(url, { maxCheckpointAge: Infinity }).sync()).toEqual(newest);
  });

  test('a final block that is too old, and a store that fell behind', async () => {
    let slot = head;
    const { url } = await serve();
    const storage = keep();
    const client = open(url, { now: () => timeOf(slot), maxAge: 200_000, storage });
    expect(await client.finalized()).toEqual(newest);
    slot += 20;
    expect((await failure(client.finalized())).code).toBe('STALE');
    slot = head + (20 * 86_400) / 6;
    expect((await failure(client.finalized())).code).toBe('OLD_STORE');
    const again = createLightClient({ api: url, network, storage, now: () => timeOf(slot) });
    const error = await failure(again.sync());
    expect(error.code).toBe('OLD_STORE');
    expect(error.message).toMatch(/^what was known last is 20 days old.*pass a new checkpoint/);
  });

  test('servers that stop in an earlier period', async () => {
    const { url } = await serve({ head: () => 50 });
    const error = await failure(open(url, { now: () => timeOf(200) }).sync());
    expect(error.code).toBe('NO_FINALITY');
    expect(error.message).toMatch(/lead to period 0 and no further/);
  });

  test('a clock that is slow or fast', async () => {
    let slot = head;
    const { url } = await serve({ head: () => Math.max(head, slot) });
    const client = open(url, { now: () => timeOf(slot) });
    slot = 20;
    expect((await failure(client.sync())).code).toBe('FUTURE_SLOT');
    // One slot is allowed.
    slot = head - 1;
    expect(await client.sync()).toEqual(newest);
    slot = 100;
    const error = await failure(client.finalized());
    expect(error.code).toBe('FUTURE_SLOT');
    expect(error.message).toMatch(/set its clock/);
    slot = head + 1_000_000;
    expect((await failure(client.finalized())).code).toBe('OLD_STORE');
    slot = head;
    expect(await client.finalized()).toEqual(newest);
  });

  test('nobody who answers; a page that is not allowed', async () => {
    const { url, close } = await serve();
    await close();
    const error = await failure(open(url).sync());
    expect(error.code).toBe('NO_ANSWER');
    expect(error.message).not.toContain(url);
    Object.defineProperty(globalThis, 'location', { value: {}, configurable: true });
    try {
      const blocked = await failure(open(url).sync());
      expect(blocked.code).toBe('BLOCKED');
      expect(blocked.message).toMatch(/CORS/);
    } finally {
      Reflect.deleteProperty(globalThis, 'location');
    }
  });

  test('what is known and young enough is given if nobody answers', async () => {
    let isDown = false;
    const { url } = await serve({
      instead: (_, response) => {
        if (isDown) response.destroy();
        return isDown;
      },
    });
    let slot = head;
    const client = open(url, { now: () => timeOf(slot) });
    await client.sync();
    isDown = true;
    slot += 2;
    expect(await client.finalized()).toEqual(newest);
    expect((await failure(client.sync())).code).toBe('NO_ANSWER');
  });

  test('a final block without an execution block', async () => {
    const of = makeChain(network, { hashAt: () => `0x${'00'.repeat(32)}` });
    const { url } = await serve({}, of);
    const error = await failure(open(url, { checkpoint: of.root(8) }).sync());
    expect(error.code).toBe('NO_EXECUTION_BLOCK');
  });
});

describe('what is kept', () => {
  test('is gone on from without the checkpoint', async () => {
    const storage = keep();
    const first = await serve({ head: () => 120 });
    await open(first.url, { storage, now: () => timeOf(120) }).sync();
    const { url, asked } = await serve();
    const { checkpoint: _, ...rest } = { checkpoint, storage, now: () => timeOf(head) };
    const client = createLightClient({ api: url, network, ...rest });
    expect(await client.finalized()).toEqual(newest);
    expect(asked.some((path) => path.includes('bootstrap'))).toBe(false);
  });

  test('is of one checkpoint: another one begins anew', async () => {
    const storage = keep();
    const { url, asked } = await serve();
    await open(url, { storage }).sync();
    await open(url, { storage, checkpoint: chain.root(16) }).sync();
    expect(asked.filter((path) => path.includes('bootstrap')).length).toBe(2);
    expect(storage.text).toContain(chain.root(16));
  });

  test('is of one network', async () => {
    const storage = keep();
    const { url } = await serve();
    await open(url, { storage }).sync();
    const other = { ...network, genesisValidatorsRoot: `0x${'5b'.repeat(32)}` } as const;
    const client = createLightClient({ api: url, network: other, storage });
    expect((await failure(client.sync())).code).toBe('BAD_STORE');
  });

  test('is found to be damaged, wherever it is', async () => {
    const storage = keep();
    const { url } = await serve();
    await open(url, { storage }).sync();
    const whole = storage.text as string;
    for (let at = 0; at < whole.length - 1; at += 97) {
      storage.text = whole.slice(0, at) + (whole[at] === '0' ? '1' : '0') + whole.slice(at + 1);
      const client = createLightClient({ api: url, network, storage });
      expect((await failure(client.sync())).code).toBe('BAD_STORE');
    }
    for (const text of ['', whole.slice(0, 500)]) {
      const client = createLightClient({ api: url, network, storage: keep(text) });
      expect((await failure(client.sync())).code).toBe('BAD_STORE');
    }
    // With the checkpoint there is a way to begin anew.
    expect(await open(url, { storage }).sync()).toEqual(newest);
    expect(storage.text).toBe(whole);
  });

  test('is nothing yet', async () => {
    const { url } = await serve();
    const client = createLightClient({ api: url, network, storage: keep() });
    expect((await failure(client.sync())).code).toBe('NO_CHECKPOINT');
  });

  test('never goes back, whoever else writes there', async () => {
    const storage = keep();
    let slot = 140;
    const { url } = await serve({ head: () => slot });
    const slow = open(url, { storage, now: () => timeOf(slot) });
    await slow.sync();
    const before = storage.text as string;
    slot = head;
    await open(url, { storage, now: () => timeOf(slot) }).sync();
    const after = storage.text as string;
    expect(after).not.toBe(before);
    slot = 148;
    await slow.sync();
    expect(storage.text).toBe(after);
  });

  test('can be a file', async () => {
    const file = join(newFolder(), 'light-client');
    const storage: LightClientStorage = {
      get: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
      set: (text) => {
        writeFileSync(`${file}.new`, text);
        renameSync(`${file}.new`, file);
      },
    };
    const { url } = await serve();
    await open(url, { storage }).sync();
    const client = createLightClient({ api: url, network, storage, now: () => timeOf(head) });
    expect(await client.finalized()).toEqual(newest);
  });
});

describe('an option that is wrong', () => {
  const good = { api: 'http://localhost', network, checkpoint };
  test.each<[string, object, string]>([
    ['api', { ...good, api: [] }, '"api" expected a URL, or several'],
    ['one of them', { ...good, api: ['x'] }, '"url" expected a URL'],
    ['a query', { ...good, api: 'http://localhost/?a=b' }, '"url" expected no ? and no #'],
    ['checkpoint', { ...good, checkpoint: '0x12' }, '"checkpoint" expected 0x and 64 hex digits'],
    ['an empty one', { ...good, checkpoint: undefined }, '"checkpoint" is undefined'],
    ['none', { api: good.api, network }, '"checkpoint" or "storage" expected'],
    ['an age', { ...good, maxAge: -1 }, '"maxAge" expected ms from 0'],
    ['a name', { ...good, maxage: 1 }, '"options.maxage" is unknown'],
  ])('%s', (_, options, message) => {
    expect(() => createLightClient(options as never)).toThrow(message);
  });
});
