/** Whole chains in PostgreSQL: the same proofs as in memory, byte for byte, whatever is killed, and from any number of processes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createFollower, genesisLines, loadStateFile } from '../../src/follow/index.js';
import type { Hex } from '../../src/index.js';
import { postgresStore } from '../../src/postgres/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { startAnvil } from '../support/anvil.js';
import { addresses, changesOf, randomOf, slots } from '../support/blocks.js';
import {
  expectEqual,
  genesisAddresses,
  genesisOf,
  life,
  type Touched,
  touchBlock,
  touchLife,
} from '../support/chain.js';
import { startKills } from '../support/killed.js';
import { rootOfLeaves } from '../support/leaves.js';
import { startChild } from '../support/processes.js';
import { families, patience } from '../support/runs.js';
import { blockOf } from '../vectors/chains.js';
import type { JsonObject } from '../vectors/members.js';
import { endLease, newDatabase, newSchema, openStore } from './schemas.js';

describe.each(families)('a state of %s', (family) => {
  test(
    'is the same as in memory, whatever is applied, named final or taken back, and opened again',
    async () => {
      const schema = newSchema();
      const inMemory = await openStateTree({ hash: family, keepFinal: 3 });
      const reopen = async () =>
        openStateTree({ hash: family, keepFinal: 3, store: await openStore(schema) });
      let inPostgres = await reopen();
      const random = randomOf(1);
      for (let number = 1; number <= (family === 'mimc' ? 10 : 40); number++) {
        const block = { number, changes: changesOf(number) };
        const { stateRoot } = await inMemory.applyBlock(block);
        expect(await inPostgres.applyBlock(block)).toEqual({ number, stateRoot });
        const back = Math.max(1, number - random(4));
        const isFree = back > ((await inMemory.finalBlock()) ?? 0);
        for (const tree of [inMemory, inPostgres]) {
          if (isFree && number % 4 === 0) await tree.finalize(back);
          else if (isFree && number % 5 === 0) await tree.revert(back);
        }
        if (number % 7 === 0) {
          await inPostgres.close();
          inPostgres = await reopen();
        }
        for (const at of [undefined, await inMemory.finalBlock(), await inMemory.oldestBlock()]) {
          const address = addresses[random(addresses.length)] as Hex;
          const proof = await inMemory.getProof(address, slots, at);
          const same = await inPostgres.getProof(address, slots, at);
          expect(JSON.stringify(same)).toBe(JSON.stringify(proof));
        }
      }
      await inPostgres.close();
      const store = await openStore(schema, { readOnly: true });
      expect(await rootOfLeaves(store, family)).toBe(await inMemory.stateRoot());
      await store.close();
    },
    patience,
  );
});

/** Chains with the state roots that the real server gave, here and beside this checkout. */
const recorded = ['test/recorded', '../shared/chains'].flatMap((folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^chain-.*\.json$/.test(name))
        .map((name) => join(folder, name))
    : [],
);

test.each(recorded)(
  '%s has the roots of the real server, and the proofs of the store in memory',
  async (file) => {
    const json = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
    const hash = json.hash === 'mimc-bls12-377' ? 'mimc' : 'poseidon2';
    const tree = await openStateTree({ hash, store: await openStore(newSchema()) });
    const inMemory = await openStateTree({ hash });
    const blocks = (json.blocks as JsonObject[]).map(blockOf);
    for (const { stateRoot, ...block } of blocks) {
      expect((await tree.applyBlock(block)).stateRoot).toBe(stateRoot);
      await inMemory.applyBlock(block);
    }
    const numbers = blocks.map(({ number }) => number);
    for (const at of [undefined, numbers.at(-1), numbers.at(-2), numbers.at(0)]) {
      for (const { address, storage = [] } of blocks.flatMap(({ changes }) => changes).slice(-60)) {
        const keys = storage.map(({ key }) => key);
        expect(JSON.stringify(await tree.getProof(address, keys, at))).toBe(
          JSON.stringify(await inMemory.getProof(address, keys, at)),
        );
      }
    }
    await tree.close();
  },
  patience,
);

test('there are recorded chains', () => {
  expect(recorded.length).toBeGreaterThan(0);
});

test(
  'a follower feeds it from a real node, and a reader elsewhere proves what the node has',
  async () => {
    const node = await startAnvil('--hardfork', 'shanghai');
    const schema = newSchema();
    try {
      const tree = await openStateTree({ store: await openStore(schema) });
      await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
      const touched: Touched = new Map();
      touchLife(touched);
      for (const transactions of life) {
        await touchBlock(node, touched, await node.mine(...transactions));
      }
      const l2 = createTransport({ url: node.url });
      await createFollower({ tree, l2, fork: 'shanghai' }).run({ once: true });
      const reader = await openStateTree({ store: await openStore(schema, { readOnly: true }) });
      expect(await reader.newestBlock()).toBe(life.length);
      const final = (await reader.finalBlock()) as number;
      for (const block of [final, life.length - 1, life.length]) {
        expect(await expectEqual(node, reader, touched, block)).toBeGreaterThan(10);
      }
      await reader.close();
      await tree.close();
    } finally {
      await node.close();
    }
  },
  2 * patience,
);

const kills = process.env.DEEP ? 100 : 6;

test(
  `killed ${kills} times in the middle of a block, it comes back at a whole one, with all that was acknowledged`,
  async () => {
    const url = await newDatabase();
    const lookAt = await startKills();
    let newest = 0;
    for (let kill = 0; kill < kills; kill++) {
      const child = startChild('write', url);
      if (kill % 4 !== 3) await child.next('done');
      await sleep(Math.random() * 250);
      child.process.kill('SIGKILL');
      await child.end;
      await endLease('l2proof', url);
      newest = await lookAt(await postgresStore({ connectionString: url }), child.lines);
    }
    expect(newest).toBeGreaterThan(kills / 2);
  },
  3 * patience,
);

test(
  'many processes read what the writer has written, as soon as it is there',
  async () => {
    const url = await newDatabase();
    const tree = await openStateTree({ store: await postgresStore({ connectionString: url }) });
    const readers = [1, 2].map(() => startChild('read', url));
    await Promise.all(readers.map((reader) => reader.next('open')));
    for (let number = 1; number <= 10; number++) {
      const { stateRoot } = await tree.applyBlock({ number, changes: changesOf(number) });
      for (const reader of readers) reader.process.stdin.write('\n');
      for (const reader of readers) {
        expect(await reader.next('newest')).toBe(`newest ${number} ${stateRoot}`);
      }
    }
    for (const reader of readers) reader.process.stdin.end();
    for (const reader of readers) expect(await reader.end).toMatchObject({ code: 0, stderr: '' });
    await tree.close();
  },
  patience,
);
