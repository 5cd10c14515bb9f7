/** Multicall3 at the address that it has on every chain. */
// @ts-nocheck

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseAbi } from 'viem';
import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import { type Contract, contractAt } from './contract.js';

export const multicallAddress: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

const abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[])',
  'function getBasefee() view returns (uint256)',
  'function getBlockHash(uint256) view returns (bytes32)',
  'function getBlockNumber() view returns (uint256)',
  'function getChainId() view returns (uint256)',
  'function getCurrentBlockCoinbase() view returns (address)',
  'function getCurrentBlockDifficulty() view returns (uint256)',
  'function getCurrentBlockGasLimit() view returns (uint256)',
  'function getCurrentBlockTimestamp() view returns (uint256)',
  'function getEthBalance(address) view returns (uint256)',
  'function getLastBlockHash() view returns (bytes32)',
]);

/** Init code that viem carries for chains without a deployment; it does not export it. */
const init: Hex = createRequire(import.meta.url)(
  join(process.cwd(), 'node_modules/viem/_cjs/constants/contracts.js'),
).multicall3Bytecode;

/**
 * Sets its code. Call it before the first block is mined: no trace tells a follower of it, so the address belongs into
 * the genesis (`genesisOf`).
 */
export async function placeMulticall(node: Anvil): Promise<Contract> {
  const code = await node.call('eth_call', { data: init }, 'latest');
  await node.call('anvil_setCode', multicallAddress, code);
  return contractAt(node, abi, multicallAddress);
}
