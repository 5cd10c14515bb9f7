/** Answers that a provider gives by itself. Wallets ask for them first, and none of them is state. */
import type { Network } from '../../anchor/index.js';
import { toQuantity } from '../../foreign/values.js';

/** The package and its version, as nodes name theirs. */
const clientVersion = 'l2proof/0.2.0';

/** Answers by method. None of the methods takes a parameter. */
export const ownAnswers: ReadonlyMap<string, (network: Network) => unknown> = new Map<
  string,
  (network: Network) => unknown
>([
  ['eth_chainId', ({ l2ChainId }) => toQuantity(l2ChainId)],
  ['net_version', ({ l2ChainId }) => String(l2ChainId)],
  // Each answer is of a block that L1 has finalized: a provider has no chain to catch up with.
  ['eth_syncing', () => false],
  ['net_listening', () => true],
  // A provider holds no key.
  ['eth_accounts', () => []],
  ['web3_clientVersion', () => clientVersion],
]);
