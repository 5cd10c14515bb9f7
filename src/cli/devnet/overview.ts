/** A devnet in words. */
import { columns } from '../print/print.js';
import type { Result } from '../print/result.js';
import { type Devnet, key } from './devnet.js';
import { accounts, mnemonic, privateKeys, takesHashes } from './network.js';
import type { Finalized } from './operator.js';
import type { TryStep } from './steps.js';

/** What it is good for, in a sentence. */
const honest = (network: Devnet['network']): string =>
  takesHashes(network)
    ? 'For trying: the block hashes on L1 are those of its own L2 node, there is no validity proof.'
    : 'For trying: the state roots on L1 are those of its own follower, there is no validity proof.';

/** Where everything is. */
export const overviewOf = (devnet: Devnet, steps: readonly TryStep[]): Result => {
  const { finalize: _finalize, close: _close, ...parts } = devnet;
  const commands = steps.map(({ title, line }) => ({ title, line }));
  return { text: overviewText(devnet), value: { ...parts, accounts, commands } };
};

function overviewText(devnet: Devnet): string {
  const { network, contracts, block } = devnet;
  const { l1ChainId, l2ChainId, rollup } = network;
  const names = { dollar: 'DUSD', wrappedEther: 'WETH', badge: 'NFT', pool: 'swap pool' } as const;
  return [
    `The devnet is up. ${honest(network)}`,
    columns([
      ['L1', `${devnet.l1} (chain ${l1ChainId}, rollup contract ${rollup})`],
      ['L2', `${devnet.l2} (chain ${l2ChainId}, block ${block} is final)`],
      ['proofs', devnet.proofs],
      ['data, decoder', `${devnet.data} (key ${key}, chain ${network.name})`],
      ['proxy', `${devnet.proxy} (for wallets and tools: its answers are proven)`],
      ['page', `${devnet.page} (look at everything, proven in your browser)`],
      ['network', devnet.networkFile],
    ]),
    `Accounts, 10 with 10,000 ether each, of "${mnemonic}":`,
    columns([
      ['Alice', accounts[0]],
      ['  her key', privateKeys[0]],
      ['Bob', accounts[1]],
      ['  his key', privateKeys[1]],
    ]),
    'Contracts on L2:',
    columns(
      Object.entries(names).map(([name, title]) => [title, contracts[name as keyof typeof names]]),
    ),
  ].join('\n');
}

/** The commands, for another terminal. */
export const tryText = (steps: readonly TryStep[]): string =>
  [
    'Try, in another terminal:',
    ...steps.map(({ title, line }, i) => `\n${i + 1}. ${title}\n${line}`),
    '\nAn interrupt (Ctrl-C) ends all of it, and removes its files.',
  ].join('\n');

/** A command, and what it printed. */
export const outcomeOf = (
  { title, line, note }: TryStep,
  output: string,
  number: number,
): Result => ({
  text: `\n${number}. ${title}\n$ ${line}\n${output.trimEnd()}\n=> ${note}`,
  value: { title, line, note, output },
});

/** A root that reached L1. */
export const finalizedOf = (finalized: Finalized): Result => ({
  text: `${new Date().toISOString()} L2 block ${finalized.block} is final on L1, ${finalized.stateRoot ? `state root ${finalized.stateRoot}` : `block hash ${finalized.blockHash}`}`,
  value: finalized,
});
