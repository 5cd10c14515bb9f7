/** The client among servers, storages, clocks and callers that harm it: each is refused, and stops nobody else. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLightClient, type LightClientStorage } from '../../../../src/beacon/index.js';
import { failure, serveClients } from '../../../support/beacon/clients.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const { network, chain, checkpoint, timeOf, head, serve, open } = serveClients();
/** What an honest server leads to. */
const newest = { slot: 160, blockRoot: chain.root(160) };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a server', () => {
  test.each<[string, string]>([
    ['no number', '{"toString":1,"valueOf":1}'],
    ['a list in lists without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['endless digits', `"${'9'.repeat(50_000)}"`],
  ])('whose slot is %s is refused, and stops no other', async (_, slot) => {
    // Before the other one is asked: the order of answers is that of the slots they claim.
    const liar = await serve({
      fault: (route, answer) =>
        route === 'finality_update'
          ? JSON.stringify(answer).replace('"slot":"160"', `"slot":${slot}`)
          : answer,
    });
    const honest = await serve();
    const client = open([liar.url, honest.url]);
    expect(await client.finalized()).toMatchObject(newest);
    expect(client.servers()[0]).toMatchObject({ lies: 1, error: { code: 'BAD_ANSWER' } });
  });

  test('that gives true updates forever gets no more turns than the others', async () => {
    // Each answer moves what is final by an epoch, and never leads to another period.
    let asked = 0;
    const crawling = await serve({
      fault: (route, answer) => {
        if (route !== 'updates') return answer;
        asked += 1;
        const attested = 25 + 8 * Math.min(asked, 4);
        return [{ data: chain.update({ attested, finalized: attested - 17, hasNext: false }) }];
      },
    });
    const honest = await serve();
    const client = open([crawling.url, honest.url]);
    expect(await client.finalized()).toMatchObject(newest);
    expect(asked).toBe(1);
    expect(client.servers().map(({ lies }) => lies)).toEqual([0, 0]);
  });

  test('that gives one update at a time delays one turn of the others', async () => {
    const slow = await serve({
      fault: (route, answer) => (route === 'updates' ? answer.slice(0, 1) : answer),
    });
    const honest = await serve();
    expect(await open([slow.url, honest.url]).finalized()).toMatchObject(newest);
    expect(slow.asked.filter((path) => path.includes('updates')).length).toBe(1);
    // Alone it leads as far.
    expect(await open(slow.url).finalized()).toMatchObject(newest);
  });

  test('that does not answer is asked less and less, until it answers', async () => {
    let slot = head;
    let isDown = true;
    const silent = await serve({
      head: () => slot,
      instead: (_, response) => {
        if (isDown) response.destroy();
        return isDown;
      },
    });
    const honest = await serve({ head: () => slot });
    const client = open([silent.url, honest.url], { now: () => timeOf(slot) });
    const rounds = async (count: number): Promise<number> => {
      const before = silent.asked.length;
      for (let round = 0; round < count; round++) {
        slot += 1;
        await client.sync();
      }
      return silent.asked.slice(before).filter((path) => path.includes('finality')).length;
    };
    await client.sync();
    expect(await rounds(8)).toBeLessThan(4);
    expect(client.servers()[0]).toMatchObject({ lies: 0, error: { code: 'NO_ANSWER' } });
    isDown = false;
    await rounds(8);
    expect(await rounds(2)).toBe(2);
  });

  test('that never ends its answer is left after its time', async () => {
    const { url } = await serve({
      instead: (route, response) => {
        if (route === 'finality_update') response.write('{"data":');
        return route === 'finality_update';
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const client = open(url);
    const syncing = client.sync();
    let isOver = false;
    void syncing.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await syncing).toMatchObject({ slot: 152 });
    expect(client.servers()[0]?.error).toMatchObject({ code: 'NO_ANSWER' });
  });

  test('that sends elsewhere is not followed', async () => {
    const honest = await serve();
    const { url } = await serve({
      instead: (_, response) => {
        response.writeHead(302, { location: honest.url }).end();
        return true;
      },
    });
    expect((await failure(open(url).sync())).code).toBe('NO_ANSWER');
    expect(honest.asked).toEqual([]);
  });
});

describe('a storage', () => {
  const broken = (name: 'get' | 'set'): LightClientStorage => ({
    get: () => undefined,
    set: () => {},
    [name]: () => {
      throw new DOMException('no room', 'QuotaExceededError');
    },
  });

  test('that cannot be read is like a damaged one', async () => {
    const { url } = await serve();
    const storage = broken('get');
    expect(await open(url, { storage }).finalized()).toMatchObject(newest);
    const options = { api: url, network, storage, now: () => timeOf(head) };
    const error = await failure(createLightClient(options).finalized());
    expect(error).toMatchObject({ code: 'BAD_STORE', cause: { name: 'QuotaExceededError' } });
  });

  test.each<[string, unknown]>([
    ['bytes', new Uint8Array(8)],
    ['a number', 7],
    ['an object', { text: '' }],
  ])('that gives %s is damaged', async (_, given) => {
    const storage = { get: () => given as string, set: () => {} };
    const options = { api: 'http://127.0.0.1:1', network, storage };
    expect((await failure(createLightClient(options).sync())).code).toBe('BAD_STORE');
    // With a checkpoint it asks.
    expect((await failure(open(options.api, { storage }).sync())).code).toBe('NO_ANSWER');
  });

  test('that cannot be written says so, and is tried again', async () => {
    const { url } = await serve();
    let isFull = true;
    let text: string | undefined;
    const storage: LightClientStorage = {
      get: () => text,
      set: async (next) => {
        if (isFull) throw new Error('disk full');
        text = next;
      },
    };
    const client = open(url, { storage });
    const error = await failure(client.sync());
    expect(error).toMatchObject({ code: 'BAD_STORE', cause: { message: 'disk full' } });
    // What is known is as true as before.
    expect(await client.finalized()).toMatchObject(newest);
    isFull = false;
    await client.sync();
    expect(text).toContain('"slot":"160"');
  });

  test('with a true sum over something else is damaged, not a crash', async () => {
    const { sha256 } = await import('@noble/hashes/sha2.js');
    const { bytesToHex } = await import('@noble/hashes/utils.js');
    const { url } = await serve();
    let kept: string | undefined;
    await open(url, {
      storage: {
        get: () => undefined,
        set: (text) => {
          kept = text;
        },
      },
    }).sync();
    const [, whole = ''] = (kept ?? '').split('\n');
    const contents = [
      '[1',
      'null',
      '{"version":1}',
      whole.replace('"version":1', '"version":2'),
      whole.replace('"slot":"160"', '"slot":160'),
      whole.replace(/0x[0-9a-f]{96}/, '0x12'),
    ];
    for (const json of contents) {
      expect(json).not.toBe(whole);
      const text = `0x${bytesToHex(sha256(new TextEncoder().encode(json)))}\n${json}\n`;
      const storage = { get: () => text, set: () => {} };
      const options = { api: 'http://127.0.0.1:1', network, storage };
      expect((await failure(createLightClient(options).sync())).code).toBe('BAD_STORE');
      expect((await failure(open(options.api, { storage }).sync())).code).toBe('NO_ANSWER');
    }
  });

  test('that another page writes meanwhile keeps the committee that it knows', async () => {
    const now = () => timeOf(52);
    const rich = await serve({ head: () => 52 });
    // Of finality alone: whoever asks it does not learn the next committee.
    const poor = await serve({
      head: () => 52,
      fault: (route, answer) => (route === 'updates' ? [] : answer),
    });
    const texts: string[] = [];
    const set = (next: string) => {
      texts.push(next);
    };
    await open(poor.url, { storage: { get: () => texts.at(-1), set }, now }).sync();
    const [without = ''] = texts;
    await open(rich.url, { storage: { get: () => texts.at(-1), set }, now }).sync();
    const [, whole = ''] = texts;
    for (const text of texts) expect(text).toContain('"slot":"32"');
    expect(without).not.toContain('next_sync_committee');
    expect(whole).toContain('next_sync_committee');
    // Begun before the other page wrote.
    for (const [meanwhile, expected] of [
      [whole, []],
      [without, [without]],
      [undefined, [without]],
    ] as const) {
      texts.length = 0;
      let reads = 0;
      const get = () => {
        reads += 1;
        return reads === 1 ? undefined : meanwhile;
      };
      await open(poor.url, { storage: { get, set }, now }).sync();
      expect(texts).toEqual(expected);
    }
  });
});

describe('a caller', () => {
  test('whose signal is over subscribes to nothing', async () => {
    const { url, asked } = await serve();
    const errors: unknown[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = open(url, { signal: AbortSignal.abort(new Error('enough')) });
    client.subscribe(
      () => errors.push('a block'),
      (error) => errors.push(error),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(vi.getTimerCount()).toBe(0);
    expect(errors).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('who ends a subscription or the client leaves no timer', async () => {
    const { url } = await serve();
    const setting = vi.spyOn(globalThis, 'setTimeout');
    const clearing = vi.spyOn(globalThis, 'clearTimeout');
    /** Timers that wait for the next epoch. */
    const waiting = (): number => {
      const cleared = clearing.mock.calls.map(([timer]) => timer);
      const epoch = 1000 * network.secondsPerSlot * network.slotsPerEpoch;
      const timers = setting.mock.results.filter((_, i) => setting.mock.calls[i]?.[1] === epoch);
      return timers.filter(({ value }) => !cleared.includes(value)).length;
    };
    const ender = new AbortController();
    const client = open(url, { signal: ender.signal });
    const blocks: number[] = [];
    const end = client.subscribe(({ slot }) => blocks.push(slot));
    client.subscribe(({ slot }) => blocks.push(slot));
    await until(() => waiting() === 2, 'both wait for the next block');
    expect(blocks).toEqual([160, 160]);
    end();
    expect(waiting()).toBe(1);
    ender.abort();
    expect(waiting()).toBe(0);
  });

  test('who gives up in the middle leaves the work to others', async () => {
    const { url, asked } = await serve();
    const client = open(url);
    const ender = new AbortController();
    const reason = new Error('enough');
    const mine = client.finalized(ender.signal);
    const theirs = client.finalized();
    ender.abort(reason);
    await expect(mine).rejects.toBe(reason);
    expect(await theirs).toMatchObject(newest);
    expect(asked.length).toBe(3);
    const before = asked.length;
    await expect(client.finalized(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(asked.length).toBe(before);
  });

  test.each([Number.NaN, '1', undefined])('whose clock says %s is told so', async (time) => {
    const { url } = await serve();
    const client = open(url, { now: () => time as number });
    await expect(client.sync()).rejects.toThrow('"now" expected');
  });

  test('whose clock goes forth and back is never given an older block', async () => {
    let slot = head;
    let shown = head;
    const { url } = await serve({ head: () => shown });
    const client = open(url, { now: () => timeOf(slot) });
    expect(await client.finalized()).toMatchObject(newest);
    const day = 86_400 / network.secondsPerSlot;
    for (const away of [day, -100, 15 * day]) {
      slot = head + away;
      const error = await failure(client.finalized());
      expect(['STALE', 'FUTURE_SLOT', 'OLD_STORE', 'NO_FINALITY']).toContain(error.code);
      slot = head;
      // A server that goes back meanwhile shows nothing.
      shown = head - 40;
      expect(await client.finalized()).toMatchObject(newest);
      shown = head;
    }
  });
});

test(
  'a process with nothing else to do ends',
  async () => {
    const server = await serve();
    const file = join(newFolder(), 'program.mjs');
    const entry = resolve('dist/beacon/index.js');
    const options = { api: server.url, network, checkpoint };
    writeFileSync(
      file,
      `import { createLightClient } from ${JSON.stringify(entry)};
      const client = createLightClient({ ...${JSON.stringify(options)}, now: () => ${timeOf(head)} });
      const end = client.subscribe(() => end());
      const { slot } = await client.finalized();
      console.log(slot);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe('160\n');
  },
  patience,
);
