/** `l2proof index --check`, as the built command: of an index that is fed meanwhile, of one that is amiss, and of none. */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openIndex } from '../../../../src/indexer/index.js';
import { keyOf, within } from '../../../../src/indexer/layout/layout.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { endCommands, startCommand } from '../../../support/commands.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';
import { rangeOf } from '../../../support/stores.js';
import { startHistory, type TokenHistory } from '../../../support/tokenHistory.js';
import { until } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');
const home = newFolder();
let node: Anvil;
let history: TokenHistory;
beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  history = await startHistory(node, 78);
  await history.mine(30);
  await node.mine({ ...history.rebasing.call('rebase', 9n * 10n ** 18n) });
}, patience);
afterAll(() => node?.close());
afterEach(endCommands);

const index = (...args: string[]) =>
  spawnSync(process.execPath, [main, 'index', ...args], { encoding: 'utf8' });
const check = (store: string, ...more: string[]) => index('--store', store, '--check', ...more);

describe('index --check', () => {
  test(
    'beside the command that feeds the index, with the node and without',
    async () => {
      const store = join(home, 'fed');
      const newest = Number(await node.call('eth_blockNumber'));
      const feeder = startCommand([main, 'index', '--store', store, '--l2', node.url]);
      await until(() => feeder.said.text.includes(`block ${newest} of ${newest}`), 'all is fed');
      const { status, stdout, stderr } = check(store, '--l2', node.url, '--json');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const facts = JSON.parse(stdout);
      expect(facts).toEqual({
        ...{ kind: 'index', chainId: 31337, block: newest },
        ...{ contracts: 5, knownContracts: 5, wallets: 5 },
        ...{ sums: expect.any(Number), records: expect.any(Number) },
        tokens: { equal: 2, different: [], moving: 1, silent: 0 },
      });
      const people = check(store);
      expect(people).toMatchObject({ status: 0, stderr: '' });
      expect(people.stdout).toMatch(/^checked: what was looked at fits together\n/);
      expect(people.stdout).toMatch(/contracts +5 of 5\n/);
      expect(people.stdout).toMatch(/contracts asked +none/);
      expect(check(store, '--l2', node.url).stdout).toMatch(/moving +1, which give or take/);
    },
    patience,
  );

  test(
    'says which token is not as its contract says, and which index is damaged',
    async () => {
      const path = join(home, 'amiss');
      expect(index('--store', path, '--l2', node.url, '--once')).toMatchObject({ status: 0 });
      const store = lmdbStore({ path });
      await openIndex({ store });
      const { address } = history.gold;
      const key = keyOf('contract', Buffer.from(address.slice(2), 'hex'));
      const entries = sealed(store);
      const number = (await entries.read({ keys: [key], ranges: [] })).values[0] as Uint8Array;
      const { from, to } = within('sum', number);
      const [lost] = await rangeOf(entries, from, to, { limit: 1 });
      const lostKey = (lost as NonNullable<typeof lost>).key;
      const moved = within('moved', lostKey.subarray(-20), number);
      const moves = await rangeOf(entries, moved.from, moved.to, { limit: 1000 });
      await entries.write({ puts: [], deletes: [lostKey, ...moves.map(({ key }) => key)] });
      const told = check(path, '--l2', node.url, '--json');
      expect(told.status).toBe(1);
      const [found, refusal] = told.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const supply = String(await history.gold.read('totalSupply'));
      expect(found.tokens.different).toEqual([
        { contract: address, sums: expect.stringMatching(/^\d+$/), supply, wallet: null },
      ]);
      expect(refusal).toMatchObject({ ok: false, code: 'NOT_VERIFIED' });
      const people = check(path, '--l2', node.url);
      expect(people.stdout).toContain(`${address}: the sums are `);
      expect(people.stderr).toContain('the sums of 1 token are not what the contracts say');
      // Nothing in the index itself is wrong, until a wallet's moves are missing and its sum is not.
      expect(check(path).status).toBe(0);
      await entries.write({
        puts: [{ key: lostKey, value: Buffer.from('01000000000001' + '05', 'hex') }],
        deletes: [],
      });
      await store.close();
      const damaged = check(path, '--json');
      expect(damaged.status).toBe(3);
      expect(JSON.parse(damaged.stdout)).toMatchObject({ ok: false, code: 'DAMAGED' });
      expect(damaged.stderr).toMatch(/feed a new one in another folder: l2proof index --store DIR/);
    },
    patience,
  );

  test('takes no flag of feeding, and feeding needs a node', () => {
    for (const flag of [['--once'], ['--only', 'tokens'], ['--metrics', '0']]) {
      const { status, stderr } = check(home, ...flag);
      expect([status, stderr]).toEqual([3, expect.stringContaining('goes with feeding')]);
    }
    const { status, stderr } = index('--store', home);
    expect([status, stderr]).toEqual([
      ...[3, expect.stringContaining('--l2 or L2PROOF_L2 is required: the URL of an L2 node')],
    ]);
  });
});
