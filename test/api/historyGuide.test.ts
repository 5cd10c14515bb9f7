/** Every code block of the guide of history, in a project that has the package from its tarball. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../support/anvil.js';
import { send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { type GuideDevnet, guideKinds, openGuideDevnet } from '../support/devnet.js';
import { newProject, writeProgram } from '../support/installed.js';
import { commandOf, countsOf, programsOf, shellOf } from '../support/pages.js';
import { patience } from '../support/runs.js';

const page = 'docs/history.md';
describe.each(guideKinds)(
  'on a chain whose contract stores $stores',
  ({ network, isHeader, toKind }) => {
    let project: string;
    let world: GuideDevnet;
    /** The newest block whose header is proven: the one before the anchored one, or under its own hash that itself. */
    let newest: number;
    beforeAll(async () => {
      project = await newProject();
      world = await openGuideDevnet(network);
      const gold = await deployErc20(world.l2, 'Gold', 'GLD');
      await send(world.l2, gold.call('mint', accounts[1], 4321n));
      newest = Number(await world.l2.call('eth_blockNumber'));
      if (!isHeader) await world.l2.mine();
      await world.finalize();
    }, patience);
    afterAll(() => world?.close());

    /** @param L2_URL of the server, which answers proofs, headers and receipts; or of the node */
    async function run(name: string, L2_URL = world.devnet.proofs): Promise<string> {
      const options = { cwd: project, env: { ...process.env, L1_URL: world.devnet.l1, L2_URL } };
      const { stdout } = await promisify(execFile)(process.execPath, [`${name}.js`], options);
      return stdout.trim();
    }

    test(
      'its programs print what the node says',
      async () => {
        expect(countsOf(page)).toEqual({ sh: 2, ts: 3 });
        for (const [i, { code }] of programsOf(page).entries()) {
          writeProgram(project, `history${i}`, toKind(code));
        }
        const number = `0x${newest.toString(16)}`;
        const block = await world.l2.call('eth_getBlockByNumber', number, false);
        const [receipt] = await world.l2.call('eth_getBlockReceipts', number);
        expect((await run('history0')).split('\n')).toEqual([
          `${newest} ${block.hash} ${Number(block.timestamp)}`,
          `${block.transactions[0]} 1 ${Number(receipt.gasUsed)} ${receipt.from}`,
        ]);
        const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
        const filter = { fromBlock: '0x0', toBlock: number, topics: [transfer] };
        const transfers: unknown[] = await world.l2.call('eth_getLogs', filter);
        expect(transfers.length).toBeGreaterThan(1);
        expect(await run('history1')).toBe(`${transfers.length} transfers`);
        // Of the node's newest block.
        const newestLogs: unknown[] = await world.l2.call('eth_getLogs', {
          fromBlock: 'latest',
          toBlock: 'latest',
        });
        expect(newestLogs).toHaveLength(isHeader ? 1 : 0);
        expect(await run('history2', world.devnet.l2)).toBe(String(newestLogs.length));
      },
      patience,
    );

    test(
      'its commands show what the node has, each proven',
      async () => {
        const [, ...lines] = shellOf(page, 'l2proof tx') as [
          string,
          string,
          string,
          string,
          string,
        ];
        const number = `0x${(newest).toString(16)}`;
        const { hash, transactions } = await world.l2.call('eth_getBlockByNumber', number, false);
        const [log] = await world.l2.call('eth_getLogs', { fromBlock: number, toBlock: number });
        const { l1, l2, proofs } = world.devnet;
        const env = { ...process.env, L2PROOF_L1: l1, L2PROOF_L2: proofs, L2PROOF_NODE: l2 };
        const [tx, block, logs, decoded] = await Promise.all(
          lines.map(async (line) => {
            const own = line
              .replace('--address 0x...', `--address ${log.address}`)
              .replace('0x...', transactions[0])
              .replace('28000000', '1')
              .replace('28000999', String(newest))
              .replace('mainnet', isHeader ? world.devnet.networkFile : 'mainnet');
            expect(own).not.toContain('...');
            const [program, args] = commandOf(own);
            return (await promisify(execFile)(program, args, { env })).stdout;
          }),
        );
        for (const text of [tx, block, logs, decoded]) {
          expect(text).toMatch(/^verified\b/);
          expect(text).toMatch(/^it rests on$/m);
        }
        expect(tx).toContain(`transaction  ${transactions[0]}`);
        expect(block).toContain(hash);
        expect(logs).toMatch(
          new RegExp(`^verified: \\d+ logs? in blocks 1 to ${newest}, none left out`),
        );
        expect(logs).toContain(log.data);
        expect(decoded).toContain('Gold: proven');
      },
      patience,
    );
  },
);
