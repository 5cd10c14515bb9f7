/** Contracts from the artifacts of npm packages, on a real node. No compiler is needed. */

import { createRequire } from 'node:module';
import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
} from 'viem';
import type { Hex } from '../../../src/bytes.js';
import type { NodeReceipt } from '../answers.js';
import { type AnvilCalls, accounts, factory, type Transaction } from '../anvil.js';
import type { Wire } from '../runs.js';

export interface Artifact {
  readonly abi: Abi;
  /** Init code, without the arguments of the constructor. */
  readonly bytecode: Hex;
  /** Code without immutable values. */
  readonly deployedBytecode?: Hex;
}

/** A type, not an interface: it passes for what has further members. */
export type ContractCall = { readonly to: Hex; readonly data: Hex };

export interface Contract {
  /** In lower case. */
  readonly address: Hex;
  readonly abi: Abi;
  /** @returns call data */
  encode(functionName: string, ...args: unknown[]): Hex;
  /** @returns a transaction, or a call; spread it to set `from`, `value` or `gas` */
  call(functionName: string, ...args: unknown[]): ContractCall;
  /** Asks the node, at its newest block. @returns the decoded result */
  read(functionName: string, ...args: unknown[]): Promise<Wire>;
}

const require = createRequire(import.meta.url);

/** Reads an artifact. Those of Uniswap write their bytecode without 0x. */
export function artifact(path: string): Artifact {
  const { abi, bytecode, deployedBytecode } = require(path);
  const init: Hex = bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`;
  return { abi, bytecode: init, deployedBytecode };
}

export function contractAt(node: AnvilCalls, abi: Abi, address: Hex): Contract {
  const encode = (functionName: string, ...args: unknown[]) =>
    encodeFunctionData({ abi, functionName, args });
  return {
    address: address.toLowerCase() as Hex,
    abi,
    encode,
    call: (functionName, ...args) => ({ to: address, data: encode(functionName, ...args) }),
    async read(functionName, ...args) {
      const request = { to: address, data: encode(functionName, ...args) };
      const data = await node.call('eth_call', request, 'latest');
      return decodeFunctionResult({ abi, functionName, data });
    },
  };
}

/** Mines a transaction in a block of its own. @returns its receipt, whatever its status */
export async function tryToSend(node: AnvilCalls, transaction: Transaction): Promise<NodeReceipt> {
  const block = await node.mine({ gas: '0x800000', ...transaction });
  const [receipt] = await node.call('eth_getBlockReceipts', `0x${block.toString(16)}`);
  return receipt;
}

/** Mines a transaction in a block of its own. @returns its receipt. Fails if it reverts */
export async function send(node: AnvilCalls, transaction: Transaction): Promise<NodeReceipt> {
  const receipt = await tryToSend(node, transaction);
  if (receipt.status !== '0x1') throw new Error(`the transaction to ${transaction.to} failed`);
  return receipt;
}

/** Deploys from the first account, which becomes the owner. The address follows from its nonce. */
export async function deploy(
  node: AnvilCalls,
  { abi, bytecode }: Artifact,
  ...args: unknown[]
): Promise<Contract> {
  const data = encodeDeployData({ abi, bytecode, args });
  const { contractAddress } = await send(node, { from: accounts[0], data });
  return contractAt(node, abi, contractAddress);
}

/** Deploys by CREATE2, unless it is there: the address follows from code, arguments and salt alone. */
export async function deployAnywhere(
  node: AnvilCalls,
  { abi, bytecode }: Artifact,
  { args = [], salt = `0x${'0'.repeat(64)}` }: { args?: unknown[]; salt?: Hex } = {},
): Promise<Contract> {
  const init = encodeDeployData({ abi, bytecode, args });
  const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode: init });
  if ((await node.call('eth_getCode', address, 'latest')) === '0x') {
    await send(node, { to: factory, data: `${salt}${init.slice(2)}` });
  }
  return contractAt(node, abi, address);
}
