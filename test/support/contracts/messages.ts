/**
 * The on-chain side of messages, written anew from its published description and compiled: how a message is hashed, how its tree
 * is built, and how a proof is judged.
 */
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { compileSources } from '../../../build/contracts.js';
import type { Hex } from '../../../src/bytes.js';
import type { Wire } from '../runs.js';

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Messages {
    function hashOf(
        address from, address to, uint256 fee, uint256 value, uint256 number, bytes calldata data
    ) external pure returns (bytes32) {
        return keccak256(abi.encode(from, to, fee, value, number, data));
    }

    // Every leaf of every tree is there, zeros too.
    function rootsOf(bytes32[] calldata hashes, uint256 depth) external pure returns (bytes32[] memory roots) {
        uint256 width = 1 << depth;
        roots = new bytes32[]((hashes.length + width - 1) / width);
        for (uint256 tree = 0; tree < roots.length; tree++) {
            bytes32[] memory nodes = new bytes32[](width);
            for (uint256 i = 0; i < width && tree * width + i < hashes.length; i++) {
                nodes[i] = hashes[tree * width + i];
            }
            for (uint256 count = width; count > 1; count /= 2) {
                for (uint256 i = 0; i < count / 2; i++) {
                    nodes[i] = keccak256(abi.encodePacked(nodes[2 * i], nodes[2 * i + 1]));
                }
            }
            roots[tree] = nodes[0];
        }
    }

    // What claiming asks of a proof; depth is what the contract holds for the root.
    function verify(
        bytes32 leaf, bytes32[] calldata proof, uint32 index, bytes32 root, uint256 depth
    ) external pure returns (bool) {
        if (depth == 0 || proof.length != depth || index >= 2 ** depth) return false;
        bytes32 node = leaf;
        for (uint256 i = 0; i < depth; i++) {
            node = (index >> i) & 1 == 0
                ? keccak256(abi.encodePacked(node, proof[i]))
                : keccak256(abi.encodePacked(proof[i], node));
        }
        return node == root;
    }
}
`;

/** A contract in an EVM of its own. */
export interface Evm {
  /** Calls a function; nothing stays. @throws Error if it reverts */
  read(functionName: string, ...args: unknown[]): Promise<Wire>;
}

const gasLimit = 10n ** 11n;

/** Deploys a contract in a new EVM. */
export async function openEvm(bytecode: string, abi: Abi): Promise<Evm> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
  const evm = await createEVM({ common, allowUnlimitedContractSize: true });
  const { createdAddress: to } = await evm.runCall({ data: hexToBytes(`0x${bytecode}`), gasLimit });
  return {
    async read(functionName, ...args) {
      const data = hexToBytes(encodeFunctionData({ abi, functionName, args }));
      const { execResult } = await evm.runCall({ ...(to && { to }), data, gasLimit });
      const { exceptionError, returnValue } = execResult;
      if (exceptionError) throw new Error(`${functionName}: ${exceptionError.error}`);
      return decodeFunctionResult({ abi, functionName, data: bytesToHex(returnValue) as Hex });
    },
  };
}

const abi = parseAbi([
  'function hashOf(address, address, uint256, uint256, uint256, bytes) pure returns (bytes32)',
  'function rootsOf(bytes32[], uint256) pure returns (bytes32[])',
  'function verify(bytes32, bytes32[], uint32, bytes32, uint256) pure returns (bool)',
]);

export const openMessagesContract = (): Promise<Evm> => {
  const compiled = compileSources({ 'Messages.sol': source })['Messages.sol']?.Messages;
  return openEvm(compiled?.evm.bytecode.object as string, abi);
};
