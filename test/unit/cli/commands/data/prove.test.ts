/** Lists with `--prove`, in this process: before a real node, our follower and our service, and before one that lies. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { runActivity } from '../../../../../src/cli/commands/data/activity.js';
import { runAllowances } from '../../../../../src/cli/commands/data/allowances.js';
import { runHolders } from '../../../../../src/cli/commands/data/holders.js';
import { runNfts } from '../../../../../src/cli/commands/data/nfts.js';
import { runPortfolio } from '../../../../../src/cli/commands/data/portfolio.js';
import { runTransactions } from '../../../../../src/cli/commands/data/transactions.js';
import { runTransfers } from '../../../../../src/cli/commands/data/transfers.js';
import { UsageError } from '../../../../../src/cli/exit/exit.js';
import { setWords } from '../../../../../src/errors.js';
import { type Anvil, accounts } from '../../../../support/anvil.js';
import { assemble, initOf } from '../../../../support/contracts/assemble.js';
import { deployAnywhere, send } from '../../../../support/contracts/contract.js';
import { deployErc20, deployErc721 } from '../../../../support/contracts/tokens.js';
import { chainName } from '../../../../support/data.js';
import { newFolder } from '../../../../support/folder.js';
import {
  lyingFetch,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../../../support/provenChain.js';
import { patience, type Wire } from '../../../../support/runs.js';

const wallet = accounts[0] as Hex;
const [alice, bob] = ['a1', 'b0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];

/** A token that allows as much as the time of the block is. */
const timedToken = initOf(
  assemble('TIMESTAMP PUSH0 MSTORE 0x20 PUSH0 RETURN'),
  `0x01 PUSH0 MSTORE ${alice} ${wallet} 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925 0x20 PUSH0 LOG3`,
);

async function make(node: Anvil) {
  const gold = await deployErc20(node);
  const deed = await deployErc721(node);
  await send(node, gold.call('mint', wallet, 3n * 10n ** 18n));
  await send(node, gold.call('approve', alice, 10n ** 18n));
  await send(node, gold.call('transfer', bob, 10n ** 18n));
  await send(node, deed.call('mint', wallet));
  const timed = await deployAnywhere(node, { abi: [], bytecode: timedToken });
  return { gold, deed, timed: timed.address };
}

let chain: ProvenChain<Awaited<ReturnType<typeof make>>>;
let trusted: string[];
beforeAll(async () => {
  chain = await startProvenChain({ isSigned: true, make });
  const network = join(newFolder(), 'network.json');
  const { l1ChainId, l2ChainId, rollup } = provenNetwork;
  writeFileSync(network, JSON.stringify({ l1ChainId, l2ChainId, rollup }));
  const root = await chain.tree.stateRoot(chain.block);
  trusted = ['--prove', '--network', network, '--root', root, '--block', String(chain.block)];
}, patience);
// The commands name their flags in errors of the library, which other tests read as they are by themselves.
afterAll(() => setWords({ hash: undefined } as never));
afterAll(() => chain?.close());
afterEach(() => {
  vi.restoreAllMocks();
});

type Run = (args: readonly string[]) => Promise<undefined>;

/** What a command prints, by lines. */
async function show(run: Run, args: readonly string[]) {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    await run([...args, '--url', chain.served.url, '--chain', chainName]);
    const linesOf = (calls: Wire[][]) => calls.flatMap(([text]) => String(text).trim().split('\n'));
    return {
      out: linesOf(printed.mock.calls),
      err: [...linesOf(written.mock.calls), ...linesOf(failed.mock.calls)],
    };
  } finally {
    vi.restoreAllMocks();
  }
}

const proving = (...args: string[]) => [...args, ...trusted, '--fork', 'prague'];

describe('a table', () => {
  test('marks what is proven, and says under which block and root, and what is assumed', async () => {
    const { gold, timed } = chain.made;
    const { out, err } = await show(runAllowances, proving(wallet));
    const root = await chain.tree.stateRoot(chain.block);
    expect(out).toEqual([
      `allowances of 1 token at block ${chain.block}`,
      expect.stringMatching(/^token .* proven$/),
      expect.stringMatching(new RegExp(`^GLD ${gold.address} +1 +1 +${alice}.* yes$`)),
      `rows with yes are verified at L2 block ${chain.block}, under state root ${root}`,
      'not proven, but assumed: that nothing is left out; names and what is said of contracts; prices and what amounts are worth; when and where something was done last, and that what ends has not ended',
    ]);
    expect(err).toEqual([`not proven, and left out: ${timed}`]);
    const unnamed = await show(runAllowances, [wallet, ...trusted]);
    expect(unnamed.out.at(-1)).toMatch(/^not proven, but assumed: the newest hard fork .*--fork/);
  });

  test('of holders says whether they are all', async () => {
    const { gold } = chain.made;
    const { out } = await show(runHolders, proving(gold.address));
    expect(out.filter((line) => line.endsWith('yes'))).toHaveLength(2);
    expect(out).toContain('nothing is left out: the rows add up to the total supply');
  });

  test.each([
    ['nfts', runNfts, wallet],
    ['transactions', runTransactions, wallet],
    ['transfers', runTransfers, wallet],
  ] as const)('of %s marks each row', async (_, run, address) => {
    const { out } = await show(run, proving(address));
    const heading = out.findIndex((line) => line.endsWith('proven'));
    const end = out.findIndex((line) => line.startsWith('rows with yes'));
    const rows = out.slice(heading + 1, end);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatch(/ (yes|no)$/);
    expect(rows.some((row) => row.endsWith(' yes'))).toBe(true);
  });
});

test('lines for programs say what is verified, assumed, and of holders whether they are all', async () => {
  const { gold } = chain.made;
  const { out } = await show(runAllowances, proving(wallet, '--json'));
  expect(out.map((line) => JSON.parse(line))).toMatchObject([
    { token_address: gold.address, verified: true, spenders: [{ allowance: String(10n ** 18n) }] },
    { complete: true, tokens: 1, assumed: ['completeness', 'names', 'quotes', 'times'] },
  ]);
  const holders = await show(runHolders, proving(gold.address, '--json'));
  expect(holders.out.map((line) => JSON.parse(line))).toMatchObject([
    { address: wallet, verified: true },
    { address: bob, verified: true },
    { complete: true, holders: 2, blockNumber: chain.block, assumed: expect.any(Array) },
  ]);
  const some = await show(runHolders, proving(gold.address, '--json', '--limit', '1'));
  expect(JSON.parse(some.out.at(-1) as string)).toMatchObject({ complete: false, holders: 1 });
});

test('a lie is not verified, and a holder who is left out is missed', async () => {
  const { gold } = chain.made;
  const real = globalThis.fetch;
  const lie = (change: (data: Wire) => void) =>
    vi.spyOn(globalThis, 'fetch').mockImplementation(lyingFetch(change, real));
  lie((data) => {
    data.items[0].spenders[0].allowance = '5';
  });
  await expect(
    runAllowances([...proving(wallet), '--url', chain.served.url, '--chain', chainName]),
  ).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
  vi.restoreAllMocks();
  lie((data) => data.items.pop());
  const { out } = await show(runHolders, proving(gold.address));
  expect(out).toContain('the rows do not add up to the total supply: some may be left out');
});

describe('what is refused', () => {
  test('what can never be proven, before anything is asked', async () => {
    for (const run of [runActivity, runPortfolio]) {
      const told = await run([wallet, '--prove']).catch((error) => error);
      expect(told).toBeInstanceOf(UsageError);
      expect(told.message).toBe('--prove: nothing of this can be proven; leave it out');
    }
  });

  test('flags of proofs without --prove', async () => {
    for (const run of [runAllowances, runHolders, runNfts, runTransactions, runTransfers]) {
      const source = ['--url', chain.served.url, '--chain', chainName];
      const told = await run([wallet, '--fork', 'prague', ...source]).catch((error) => error);
      expect(told.message).toBe('--fork needs --prove');
    }
  });
});
