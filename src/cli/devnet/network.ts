/** What the two chains of a devnet are like: the genesis of each, and the network as `--network` takes it. */
import type { Network } from '../../anchor/index.js';
import type { Hex } from '../../index.js';
import { messageSender, proxy, rollup as rollupContract } from './contracts.js';

/** The members of a network that a devnet chooses; `forks` holds from the genesis on. */
export type DevNetwork = Pick<
  Network,
  'name' | 'l1ChainId' | 'l2ChainId' | 'rollup' | 'messageService' | 'method' | 'forks'
> & {
  readonly slots?: { readonly blockHashes?: Hex | number };
};

/** Whether L1 takes block hashes in place of state roots. */
export const takesHashes = ({ slots }: DevNetwork): boolean => slots?.blockHashes !== undefined;

/** The fork of both chains. */
export const fork = 'prague';

/** The network of `l2proof devnet`. */
export const devNetwork: DevNetwork = {
  name: 'devnet',
  l1ChainId: 1337,
  l2ChainId: 31337,
  rollup: '0x1000000000000000000000000000000000000001',
  messageService: '0x1000000000000000000000000000000000000003',
  method: 'l2_getProof',
  forks: { [fork]: 0 },
};

/** The same, whose rollup contract is of the next version. */
export const version9Network: DevNetwork = { ...devNetwork, slots: { blockHashes: 456 } };

/** The words that the accounts come from: those of Anvil and other tools for trying, known to everyone. */
export const mnemonic = 'test test test test test test test test test test test junk';

/** The accounts of these words on both chains, which hold 10,000 ether each; Anvil signs for them. */
export const accounts = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
  '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
  '0x976ea74026e726554db657fa54763abd0c3a0aa9',
  '0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
  '0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
  '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
] as const satisfies readonly Hex[];

/** The private keys of the first two. */
export const privateKeys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
] as const satisfies readonly Hex[];

/** An account of a genesis.json. */
interface Allocated {
  readonly balance: Hex;
  readonly nonce?: Hex;
  readonly code?: Hex;
  readonly storage?: Readonly<Record<Hex, Hex>>;
}

const code = (text: Hex): Allocated => ({ balance: '0x0', code: text });

/** What Anvil puts into each genesis, and the file must have for its root to fit. */
const predeployed: Readonly<Record<Hex, Allocated>> = {
  // Deploys by CREATE2.
  '0x4e59b44847b379578588920ca78fbf26c0b4956c': code(
    '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3',
  ),
  // Hashes of earlier blocks (EIP-2935).
  '0x0000f90827f1c53a10cb7a02335b175320002935': code(
    '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  ),
};

const wealth: Allocated = { balance: `0x${(10_000n * 10n ** 18n).toString(16)}` };

/** geth's genesis.json of one of the chains. */
export function genesisOf(chainId: number, more: Readonly<Record<Hex, Allocated>> = {}) {
  const zero = '0x0000000000000000000000000000000000000000';
  return {
    config: {
      chainId,
      ...{ homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 0, byzantiumBlock: 0 },
      ...{ constantinopleBlock: 0, petersburgBlock: 0, istanbulBlock: 0, berlinBlock: 0 },
      ...{ londonBlock: 0, terminalTotalDifficulty: 0, terminalTotalDifficultyPassed: true },
      ...{ shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
    },
    ...{ nonce: '0x0', extraData: '0x', gasLimit: '0x1c9c380', difficulty: '0x0', coinbase: zero },
    timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
    mixHash: `0x${'00'.repeat(32)}`,
    alloc: {
      ...Object.fromEntries(accounts.map((account) => [account, wealth])),
      ...predeployed,
      ...more,
    },
  };
}

/** The code behind the rollup contract. */
export const implementation: Hex = '0x1000000000000000000000000000000000000002';

/** keccak256('eip1967.proxy.implementation') - 1 */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

/** The genesis of L2, which has the contract that sends messages. */
export const l2Genesis = ({ l2ChainId, messageService: service }: DevNetwork) =>
  genesisOf(l2ChainId, service && { [service]: code(messageSender.code) });

/** The genesis of L1, which has the rollup contract. */
export const l1Genesis = ({ l1ChainId, rollup }: DevNetwork) =>
  genesisOf(l1ChainId, {
    [rollup]: {
      ...code(proxy.code),
      // What messages bring to L1; the public contract has it from those who sent ether to L2.
      ...wealth,
      storage: { [implementationSlot]: `0x${implementation.slice(2).padStart(64, '0')}` },
    },
    [implementation]: code(rollupContract.code),
  });
