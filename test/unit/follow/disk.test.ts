/** A follower whose disk is full: it says so, loses nothing, and the next one goes on once there is room. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { genesisLines } from '../../../src/follow/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { openStateTree } from '../../../src/tree/index.js';
import { startAnvil } from '../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../support/chain.js';
import { newFolder } from '../../support/folder.js';
import { patience } from '../../support/runs.js';

const disk = newFolder();
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
if (canMount) execFileSync('umount', [disk]);

/** Takes all room that is left. */
function fill(): void {
  const chunk = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(join(disk, 'filler'), chunk);
  } catch {}
}

test.skipIf(!canMount)(
  'says so and ends with a code that is no 3; with room again it goes on, and the store is whole',
  async () => {
    const node = await startAnvil('--hardfork', 'shanghai');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    const store = join(disk, 'state');
    const genesis = join(newFolder(), 'genesis.jsonl');
    const lines = [...genesisLines(await genesisOf(node, genesisAddresses))];
    writeFileSync(genesis, lines.map((line) => `${line}\n`).join(''));
    const command = (...more: string[]) => [
      ...['dist/cli/main.js', 'follow', '--store', store, '--l2', node.url, '--fork', 'shanghai'],
      ...more,
    ];
    const once1 = () => spawn(process.execPath, command('--once', '--genesis', genesis));
    const finished = async (child: ReturnType<typeof spawn>) => {
      let text = '';
      child.stderr?.on('data', (data) => {
        text += data;
      });
      const [code, signal] = await once(child, 'close');
      return { code: code ?? signal, text };
    };
    const mine = async (blocks: number) => {
      for (let i = 0; i < blocks; i++)
        await node.mine({ value: 1n, to: genesisAddresses[1] as string });
    };
    const newest = async () => {
      const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
      const block = await tree.newestBlock();
      await tree.close();
      return block;
    };
    try {
      expect(await finished(once1())).toEqual({ code: 0, text: expect.any(String) });
      const before = await newest();
      fill();
      await mine(40);
      // Each time: a supervisor starts it again and again.
      for (let i = 0; i < 20; i++) {
        const full = await finished(once1());
        expect(full).toEqual({
          code: 4,
          text: expect.stringMatching(/no room left on its disk.*\(STORE_FULL\)/),
        });
        // LMDB writes so itself, and may have damaged its memory by then.
        expect(full.text).not.toContain('Write error');
      }
      rmSync(join(disk, 'filler'));
      expect(await newest()).toBeGreaterThanOrEqual(0);
      expect((await finished(once1())).code).toBe(0);
      expect(await newest()).toBe(40);
      expect(before).toBe(0);
      expect(readdirSync(store).sort()).toEqual(['data.mdb', 'lock.mdb']);
      // The same state as that of a follower which has met no full disk.
      const root = async () => {
        const tree = await openStateTree({ store: lmdbStore({ path: store, readOnly: true }) });
        const found = await tree.stateRoot();
        await tree.close();
        return found;
      };
      const found = await root();
      rmSync(store, { recursive: true });
      expect((await finished(once1())).code).toBe(0);
      expect(await root()).toBe(found);
    } finally {
      execFileSync('umount', ['-l', disk]);
      await node.close();
    }
  },
  patience,
);
