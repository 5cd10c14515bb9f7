/** An ERC-721 contract that makes all its tokens in one run (ERC-2309), without a record of each. */
import { type Hex, parseAbi } from 'viem';
import { topics } from '../../../src/indexer/logs/events.js';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { type Contract, deployAnywhere } from './contract.js';

const abi = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function balanceOf(address wallet) view returns (uint256)',
  'function tokenURI(uint256 id) view returns (string)',
  'function transferFrom(address from, address to, uint256 id)',
]);

/** Of a token that was burnt, in place of its owner. */
const burnt = '0x01';

/**
 * Owners stand in the slots of ids, if a token was moved; what a wallet got or gave away, in the slot of its address. Anybody
 * may move a token.
 */
const codeOf = (wallet: Hex, count: number) => {
  const size = `0x${count.toString(16).padStart(4, '0')}`;
  return assemble(`
    PUSH0 CALLDATALOAD 0xe0 SHR
    DUP1 0x6352211e EQ @ownerOf JUMPI
    DUP1 0x70a08231 EQ @balanceOf JUMPI
    DUP1 0xc87b56dd EQ @tokenURI JUMPI
    DUP1 0x23b872dd EQ @transferFrom JUMPI
    revert: PUSH0 PUSH0 REVERT
    ownerOf:
      0x04 CALLDATALOAD
      ${size} DUP2 LT ISZERO @revert JUMPI
      SLOAD
      DUP1 ${burnt} EQ @revert JUMPI
      DUP1 @owned JUMPI
      POP ${wallet}
      owned: PUSH0 MSTORE 0x20 PUSH0 RETURN
    balanceOf:
      0x04 CALLDATALOAD DUP1 SLOAD
      SWAP1 ${wallet} EQ ${size} MUL
      ADD PUSH0 MSTORE 0x20 PUSH0 RETURN
    tokenURI:
      0x20 PUSH0 MSTORE 0x16 0x20 MSTORE
      0x${Buffer.from('https://runs.example/a').toString('hex').padEnd(64, '0')} 0x40 MSTORE
      0x60 PUSH0 RETURN
    transferFrom:
      0x24 CALLDATALOAD DUP1 ISZERO @burn JUMPI
      DUP1 0x44 CALLDATALOAD SSTORE
      DUP1 SLOAD 0x01 ADD DUP2 SSTORE @moved JUMP
      burn: ${burnt} 0x44 CALLDATALOAD SSTORE
      moved: POP
      0x01 0x04 CALLDATALOAD SLOAD SUB 0x04 CALLDATALOAD SSTORE
      0x44 CALLDATALOAD 0x24 CALLDATALOAD 0x04 CALLDATALOAD ${topics.transfer} PUSH0 PUSH0 LOG4 STOP
  `);
};

/** Its tokens, 0 to below a number, come to a wallet. */
export function deployRuns(node: Anvil, wallet: Hex, count: number): Promise<Contract> {
  const last = `0x${(count - 1).toString(16).padStart(4, '0')}`;
  const prelude = `
    ${last} PUSH0 MSTORE
    ${wallet} PUSH0 PUSH0 ${topics.consecutiveTransfer} 0x20 PUSH0 LOG4`;
  return deployAnywhere(node, { abi, bytecode: initOf(codeOf(wallet, count), prelude) });
}
