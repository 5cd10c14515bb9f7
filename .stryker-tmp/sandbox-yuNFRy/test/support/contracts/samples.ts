/** Small contracts, written by hand, that do what compiled ones seldom do. */
// @ts-nocheck

import type { Hex } from '../../../src/bytes.js';
import type { Anvil } from '../anvil.js';
import { assemble, initOf } from './assemble.js';
import { deployAnywhere } from './contract.js';

/** Returns the word on the stack. */
const answer = 'PUSH0 MSTORE 0x20 PUSH0 RETURN';

/** Slots 1 to 200 hold 7 times their number; returns their sum. */
const loop = {
  prelude: 'PUSH0 fill: 0x01 ADD DUP1 DUP1 0x07 MUL SWAP1 SSTORE DUP1 0xc8 GT @fill JUMPI POP',
  code: `
    PUSH0 PUSH0
    next:                           ; sum slot
    0x01 ADD DUP1 SLOAD DUP3 ADD SWAP2 POP
    DUP1 0xc8 GT @next JUMPI
    POP ${answer}`,
};

/** From slot 1 on, 100 slots each hold the next one's place (its own place's hash); returns how many were read. */
const list = {
  prelude: `
    0x01 0x64
    fill:                           ; place left
    SWAP1 DUP1 PUSH0 MSTORE 0x20 PUSH0 KECCAK256
    DUP1 SWAP2 SSTORE               ; left next
    SWAP1 0x01 SWAP1 SUB DUP1 @fill JUMPI POP POP`,
  code: `
    0x01 PUSH0
    next:                           ; place read
    0x01 ADD SWAP1 SLOAD SWAP1
    DUP2 @next JUMPI
    ${answer}`,
};

/** Calls the address of the first word with the rest; returns whether that went well, and what came back. */
const forward = {
  code: `
    0x20 CALLDATASIZE SUB DUP1 0x20 PUSH0 CALLDATACOPY
    PUSH0 PUSH0 SWAP2 PUSH0 CALLVALUE PUSH0 CALLDATALOAD GAS CALL
    PUSH0 MSTORE RETURNDATASIZE PUSH0 0x20 RETURNDATACOPY
    RETURNDATASIZE 0x20 ADD PUSH0 RETURN`,
};

/** With call data, returns transient slot 1; without, sets it to 42 and calls itself with a byte. */
const transient = {
  code: `
    CALLDATASIZE @read JUMPI
    0x2a 0x01 TSTORE
    0x20 PUSH0 0x01 PUSH0 PUSH0 ADDRESS GAS CALL POP 0x20 PUSH0 RETURN
    read: 0x01 TLOAD ${answer}`,
};

/** Destroys itself in favour of the address in the call data. */
const ending = { code: 'PUSH0 CALLDATALOAD SELFDESTRUCT' };

/** For the address of the first word: balance, code size, code hash and the first 32 bytes of code. */
const look = {
  code: `
    PUSH0 CALLDATALOAD BALANCE PUSH0 MSTORE
    PUSH0 CALLDATALOAD EXTCODESIZE 0x20 MSTORE
    PUSH0 CALLDATALOAD EXTCODEHASH 0x40 MSTORE
    0x20 PUSH0 0x60 PUSH0 CALLDATALOAD EXTCODECOPY
    0x80 PUSH0 RETURN`,
};

/** Creates a contract from its call data, with its value, and returns the address and what EXTCODEHASH says. */
const creator = {
  code: `
    CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY
    CALLDATASIZE PUSH0 CALLVALUE CREATE
    DUP1 EXTCODEHASH 0x20 MSTORE
    PUSH0 MSTORE 0x40 PUSH0 RETURN`,
};

/** Keeps the sender in slot 0 and the value in slot 1, and returns 3 words: this address, the sender, the value. */
const ledger = {
  code: `
    CALLER PUSH0 SSTORE CALLVALUE 0x01 SSTORE
    ADDRESS PUSH0 MSTORE CALLER 0x20 MSTORE CALLVALUE 0x40 MSTORE
    0x60 PUSH0 RETURN`,
};

/** Increments slot 0, which is 5 from the start, and returns it; clears it if there are call data. */
const counter = {
  prelude: '0x05 PUSH0 SSTORE',
  code: `
    CALLDATASIZE @clear JUMPI
    PUSH0 SLOAD 0x01 ADD DUP1 PUSH0 SSTORE ${answer}
    clear: PUSH0 PUSH0 SSTORE STOP`,
};

/** Goes on for ever. */
const endless = { code: 'again: @again JUMP' };

/** What is left of the gas. */
const gasLeft = { code: `GAS ${answer}` };

/** Runs the code at the address of its slot 0, with its own storage. */
const proxyOf = (target: Hex) => ({
  prelude: `${target} PUSH0 SSTORE`,
  code: `
    CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY
    PUSH0 PUSH0 CALLDATASIZE PUSH0 PUSH0 SLOAD GAS DELEGATECALL
    RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY
    @done JUMPI
    RETURNDATASIZE PUSH0 REVERT
    done: RETURNDATASIZE PUSH0 RETURN`,
});

/** Init code of `loop`, which writes 200 slots. */
export const loopInit = initOf(assemble(loop.code), loop.prelude);

const samples = {
  ...{ loop, list, forward, transient, ending, look, creator, ledger, counter, endless, gasLeft },
};

export type Samples = Record<keyof typeof samples | 'proxy', Hex>;

/** @returns the addresses. `proxy` stands before `counter` */
export async function deploySamples(node: Anvil): Promise<Samples> {
  const deployCode = async ({ code, prelude = '' }: { code: string; prelude?: string }) =>
    (await deployAnywhere(node, { abi: [], bytecode: initOf(assemble(code), prelude) })).address;
  const addresses: Record<string, Hex> = {};
  for (const [name, sample] of Object.entries(samples)) addresses[name] = await deployCode(sample);
  addresses.proxy = await deployCode(proxyOf(addresses.counter as Hex));
  return addresses as Samples;
}
