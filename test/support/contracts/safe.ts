/** Safe 1.4.1: a multisig wallet of both accounts, behind a proxy. */
import { concat, parseEventLogs } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import {
  artifact,
  type Contract,
  type ContractCall,
  contractAt,
  deployAnywhere,
  send,
} from './contract.js';
import { signers } from './keys.js';

export interface SafeWallet {
  readonly singleton: Contract;
  readonly proxyFactory: Contract;
  /** The proxy. Both accounts must sign. */
  readonly safe: Contract;
  /** @returns an `execTransaction` that both owners have signed */
  execute(what: SafeTransaction): Promise<ContractCall>;
}

export interface SafeTransaction {
  readonly to: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
  /** Default: the wallet's next. */
  readonly nonce?: bigint;
}

const none: Hex = `0x${'0'.repeat(40)}`;
const artifactOf = (name: string) =>
  artifact(`@safe-global/safe-contracts/build/artifacts/contracts/${name}.json`);

const safeTx = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
];

export async function deploySafe(node: Anvil): Promise<SafeWallet> {
  const singleton = await deployAnywhere(node, artifactOf('Safe.sol/Safe'));
  const proxyFactory = await deployAnywhere(
    node,
    artifactOf('proxies/SafeProxyFactory.sol/SafeProxyFactory'),
  );
  const handler = await deployAnywhere(
    node,
    artifactOf('handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler'),
  );
  const owners = signers.map(({ address }) => address);
  const setup = [owners, 2n, none, '0x', handler.address, none, 0n, none];
  const initializer = singleton.encode('setup', ...setup);
  const creation = proxyFactory.call('createProxyWithNonce', singleton.address, initializer, 7n);
  const { logs } = await send(node, creation);
  const [{ args }] = parseEventLogs({ abi: proxyFactory.abi, logs }) as unknown as [
    { args: { proxy: Hex } },
  ];
  const safe = contractAt(node, singleton.abi, args.proxy);

  async function execute({ to, value = 0n, data = '0x', nonce }: SafeTransaction) {
    const message = {
      ...{ to, value, data, operation: 0, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n },
      ...{ gasToken: none, refundReceiver: none, nonce: nonce ?? (await safe.read('nonce')) },
    };
    const domain = {
      chainId: Number(await node.call('eth_chainId')),
      verifyingContract: safe.address,
    };
    // The contract wants the signatures in the order of the owners' addresses.
    const sorted = [...signers].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1));
    const typed = { domain, types: { SafeTx: safeTx }, primaryType: 'SafeTx', message } as const;
    const signatures = await Promise.all(sorted.map((signer) => signer.signTypedData(typed)));
    const { nonce: _, ...rest } = message;
    return safe.call('execTransaction', ...Object.values(rest), concat(signatures));
  }

  return { singleton, proxyFactory, safe, execute };
}
