/** A random life of tokens and wallets on a real node, and a state of our own that follows it. */
import { createFollower, genesisLines, loadStateFile } from '../../src/follow/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { openStateTree, type StateTree } from '../../src/tree/index.js';
import { type Anvil, startAnvil } from './anvil.js';
import { genesisAddresses, genesisOf } from './chain.js';
import { startHistory, type TokenHistory, wallets } from './tokenHistory.js';

export interface StateHistory {
  readonly node: Anvil;
  readonly tree: StateTree;
  readonly history: TokenHistory;
  /** Applies all blocks of the node. */
  follow(): Promise<void>;
}

/** @param cleanups is given what ends it, to be called in reverse order */
export async function startStateHistory(
  seed: number,
  cleanups: (() => Promise<unknown>)[],
): Promise<StateHistory> {
  const node = await startAnvil('--auto-impersonate', '--hardfork', 'prague');
  cleanups.push(() => node.close());
  // Set before the genesis is read: no trace tells of it.
  for (const wallet of wallets) {
    await node.call('anvil_setBalance', wallet, '0x56bc75e2d63100000');
  }
  const tree = await openStateTree({ keepFinal: 8 });
  cleanups.push(() => tree.close());
  const genesis = await genesisOf(node, [...genesisAddresses, ...wallets]);
  await loadStateFile(tree, genesisLines(genesis));
  const history = await startHistory(node, seed);
  const l2 = createTransport({ url: node.url });
  const follow = () => createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
  return { node, tree, history, follow };
}
