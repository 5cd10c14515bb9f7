/** A stand-in for the universal resolver of ENS, written by hand: it answers the call that viem makes. */
// @ts-nocheck

import { keccak256, parseAbi, toFunctionSelector, toHex } from 'viem';
import { packetToBytes } from 'viem/ens';
import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { type Contract, deployAnywhere } from './contract.js';

const abi = parseAbi([
  'function resolveWithGateways(bytes name, bytes data, string[] gateways) view returns (bytes, address)',
  'function set(bytes32 nameHash, uint256 value)',
  'error ResolverNotFound(bytes name)',
]);

/** Where the first argument, which is bytes, begins: its length, then its bytes. */
const name = '0x04 DUP1 CALLDATALOAD ADD';

/** Slots: the hash of a name in DNS form -> the address. A name that is not there is an error. */
const code = assemble(`
  PUSH0 CALLDATALOAD 0xe0 SHR ${toFunctionSelector('set(bytes32,uint256)')} EQ @set JUMPI
  ${name} DUP1 CALLDATALOAD         ; name length
  DUP1 0x20 DUP4 ADD 0x44 CALLDATACOPY
  DUP1 0x44 KECCAK256 SLOAD         ; name length value
  DUP1 @found JUMPI
  POP                               ; revert with ResolverNotFound(name)
  0x24 MSTORE
  ${toFunctionSelector('ResolverNotFound(bytes)')} 0xe0 SHL PUSH0 MSTORE
  0x20 0x04 MSTORE
  0x1f 0x24 MLOAD ADD 0x05 SHR 0x05 SHL 0x44 ADD PUSH0 REVERT
found:
  0x40 PUSH0 MSTORE ADDRESS 0x20 MSTORE 0x20 0x40 MSTORE 0x60 MSTORE
  0x80 PUSH0 RETURN
set:
  0x24 CALLDATALOAD 0x04 CALLDATALOAD SSTORE STOP
`);

export const deployResolver = (node: Anvil): Promise<Contract> =>
  deployAnywhere(node, { abi, bytecode: initOf(code) });

/** The key under which a resolver has a name. */
export const nameHash = (name: string): Hex => keccak256(toHex(packetToBytes(name)));
