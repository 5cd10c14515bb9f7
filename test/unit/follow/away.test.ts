/** A node that goes away while it is followed, and comes back. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  FollowError,
  genesisLines,
  loadStateFile,
} from '../../../src/follow/index.js';
import { untilAnswered } from '../../../src/follow/node/patience.js';
import { createTransport, RpcError } from '../../../src/rpc/index.js';
import { openStateTree } from '../../../src/tree/index.js';
import { startAnvil } from '../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../support/chain.js';
import { startForged } from '../../support/forged.js';
import { patience } from '../../support/runs.js';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

test(
  'is asked until it is back; with once, it fails',
  async () => {
    const node = await startAnvil('--hardfork', 'prague');
    closing.push(node);
    await node.mine();
    const front = await startForged(node, (_method, _params, result) => result);
    closing.push(front);
    const tree = await openStateTree();
    await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
    const warnings: string[] = [];
    const options = {
      tree,
      l2: createTransport({ url: front.url }),
      fork: 'prague',
      interval: 10,
      patience: { tries: 2, delay: 1 },
      onWarning: (text: string) => warnings.push(text),
    } as const;
    const controller = new AbortController();
    const follower = createFollower(options);
    const running = follower.run({ signal: controller.signal });
    const until = async (isThere: () => boolean | Promise<boolean>) => {
      while (!(await isThere())) await sleep(5);
    };
    await until(async () => (await tree.newestBlock()) === 1);
    expect(warnings).toEqual([expect.stringContaining('without L1 no root has confirmed')]);

    const { port } = new URL(front.url);
    await front.close();
    await node.mine();
    await until(() => warnings.length >= 4);
    expect(warnings[1]).toMatch(/^the L2 node does not answer: .*; asking again in 1 s$/);
    expect(warnings[1]).not.toContain(front.url);
    front.server.listen(Number(port), '127.0.0.1');
    await once(front.server, 'listening');
    await until(async () => (await tree.newestBlock()) === 2);
    const count = warnings.length;
    await sleep(50);
    expect(warnings.length).toBe(count);

    await front.close();
    await until(() => warnings.length > count);
    // A signal ends the waiting as well.
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    await expect(follower.run({ once: true })).rejects.toMatchObject({ code: 'NODE_FAILED' });
  },
  patience,
);

describe('a round of tries', () => {
  const failed = (code: 'NETWORK' | 'SERVER_ERROR', serverCode?: number) =>
    new FollowError('NODE_FAILED', 'away', {
      cause: new RpcError(code, 'eth_call', '', serverCode === undefined ? {} : { serverCode }),
    });

  test('is a minute after the last at most', async () => {
    const pauses: number[] = [];
    const controller = new AbortController();
    const work = async () => {
      throw failed('NETWORK');
    };
    // The pause of each round is told, and stood by a signal that ends it.
    for (const delay of [500, 60_000, 10_000_000]) {
      const onWarning = (text: string) => {
        pauses.push(Number(/in (\d+) s$/.exec(text)?.[1]));
        controller.abort(new Error('enough'));
      };
      const trying = untilAnswered(work, { delay, onWarning, signal: controller.signal });
      await expect(trying).rejects.toThrow('enough');
    }
    expect(pauses).toEqual([1, 60, 60]);
  });

  test.each([
    ['what no second try changes', failed('SERVER_ERROR', -32601)],
    ['another failure', new FollowError('BAD_TRACE', 'bad')],
    ['no failure of a node', new TypeError('bad')],
  ])('does not follow on %s', async (_, error) => {
    let calls = 0;
    const work = async () => {
      calls++;
      throw error;
    };
    const trying = untilAnswered(work, { delay: 1, onWarning: () => {}, signal: undefined });
    await expect(trying).rejects.toBe(error);
    expect(calls).toBe(1);
  });
});
