/** ERC-4337: the three EntryPoints at the addresses that they have on every chain, and accounts of SimpleAccountFactory. */
import { concat, encodeFunctionData } from 'viem';
import {
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from 'viem/account-abstraction';
import type { Hex } from '../../../src/bytes.js';
import { type Anvil, accounts } from '../anvil.js';
import { artifact, type Contract, type ContractCall, deployAnywhere, send } from './contract.js';
import { signers } from './keys.js';

export type Version = '0.6' | '0.7' | '0.8';

export interface AccountAbstraction {
  readonly version: Version;
  readonly entryPoint: Contract;
  readonly accountFactory: Contract;
  /** The account that the second account owns. Its first operation creates it; its deposit is 1 ether. */
  readonly sender: Hex;
  /** @returns a user operation as the EntryPoint's ABI has it, signed by the owner */
  signOperation(what: Operation): Promise<object>;
  /** @returns a transaction of the first account that hands in operations and takes the fees */
  handleOps(...operations: object[]): ContractCall & { gas: Hex };
}

export interface Operation {
  readonly to: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
  /** Default: the account's next. */
  readonly nonce?: bigint;
}

const packages = { '0.6': 'ep06', '0.7': 'ep07', '0.8': 'ep08' } as const;

/** With these the deployments on all chains were made; each gives the well-known address. */
const salts: Record<Version, Hex> = {
  '0.6': `0x${'0'.repeat(64)}`,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
};

const gas = {
  callGasLimit: 300_000n,
  verificationGasLimit: 800_000n,
  preVerificationGas: 60_000n,
  // Equal fees: the EntryPoint then has no need of the base fee.
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 2_000_000_000n,
};

export async function deployEntryPoint(node: Anvil, version: Version): Promise<AccountAbstraction> {
  const artifactOf = (name: string) => artifact(`${packages[version]}/artifacts/${name}.json`);
  const entryPoint = await deployAnywhere(node, artifactOf('EntryPoint'), { salt: salts[version] });
  const accountFactory = await deployAnywhere(node, artifactOf('SimpleAccountFactory'), {
    args: [entryPoint.address],
  });
  const [, owner] = signers;
  const create = accountFactory.encode('createAccount', owner.address, 0n);
  const address: Hex = await accountFactory.read('getAddress', owner.address, 0n);
  const sender = address.toLowerCase() as Hex;
  await send(node, { ...entryPoint.call('depositTo', sender), value: 10n ** 18n });
  const { abi } = artifactOf('SimpleAccount');
  const chainId = Number(await node.call('eth_chainId'));

  const named = { chainId, entryPointAddress: entryPoint.address, entryPointVersion: version };

  async function signOperation({ to, value = 0n, data = '0x', nonce }: Operation) {
    const isThere = (await node.call('eth_getCode', sender, 'latest')) !== '0x';
    const common = {
      sender,
      nonce: nonce ?? (await entryPoint.read('getNonce', sender, 0n)),
      callData: encodeFunctionData({ abi, functionName: 'execute', args: [to, value, data] }),
      ...gas,
    };
    if (version === '0.6') {
      const initCode = isThere ? '0x' : concat([accountFactory.address, create]);
      return sign({ ...common, initCode, paymasterAndData: '0x' });
    }
    const creation = isThere ? {} : { factory: accountFactory.address, factoryData: create };
    return toPackedUserOperation((await sign({ ...common, ...creation })) as UserOperation);
  }

  async function sign(unsigned: object): Promise<object> {
    const userOperation = { ...unsigned, signature: '0x' } as object as UserOperation;
    const hash = getUserOperationHash({ ...named, userOperation });
    // From 0.8 on the hash is one of typed data, which is signed without a prefix.
    const signature =
      version === '0.8' ? owner.sign({ hash }) : owner.signMessage({ message: { raw: hash } });
    return { ...userOperation, signature: await signature };
  }

  return {
    ...{ version, entryPoint, accountFactory, sender, signOperation },
    handleOps: (...operations) => ({
      ...entryPoint.call('handleOps', operations, accounts[0]),
      // The EntryPoint wants all the gas that the operations may use.
      gas: '0x800000',
    }),
  };
}
