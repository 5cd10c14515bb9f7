/** Real nodes: Anvil on a free port of the loopback. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Hex } from '../../src/bytes.js';
import type { RpcAnswer } from './answers.js';
import type { Wire } from './runs.js';

export interface Anvil {
  readonly url: string;
  readonly pid: number;
  call(method: string, ...params: unknown[]): Promise<Wire>;
  /** Many calls of one method in one request. */
  callEach(method: string, params: readonly unknown[][]): Promise<Wire[]>;
  /** Mines the transactions, in this order, as one block. @returns its number */
  mine(...transactions: Transaction[]): Promise<number>;
  close(): Promise<void>;
}

export interface Transaction {
  /** Default: the first account. */
  from?: string;
  to?: string;
  value?: bigint;
  data?: string;
  [more: string]: unknown;
}

/** Anvil's first accounts, of its well-known mnemonic. */
export const accounts = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const;

const options = ['--order', 'fifo', '--no-mining', '--accounts', '2'];

/** Block n is final once block n + 2 is there. */
const epoch = '--slots-in-an-epoch';

/** @param args `--slots-in-an-epoch N` among them: a block is final once 2 N more are there */
export async function startAnvil(...args: string[]): Promise<Anvil> {
  const finality = args.includes(epoch) ? [] : [epoch, '1'];
  const child = spawn(
    join(process.cwd(), 'node_modules/.bin/anvil'),
    ['--port', '0', ...options, ...finality, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (address) resolve(`http://${address}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`anvil ended: ${output}`)));
  });
  return {
    ...anvilAt(url),
    pid: child.pid as number,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** What a node that runs is asked. */
export type AnvilCalls = Pick<Anvil, 'url' | 'call' | 'callEach' | 'mine'>;

/** Asks a node that someone else has started. It must mine on demand alone. */
export function anvilAt(url: string): AnvilCalls {
  let id = 0;

  async function post(body: unknown): Promise<Wire> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  }
  const request = (method: string, params: readonly unknown[]) => ({
    jsonrpc: '2.0',
    id: ++id,
    method,
    params,
  });
  function resultOf({ result, error }: RpcAnswer): Wire {
    if (error) throw new Error(`anvil: ${error.message}`);
    return result;
  }
  const call = async (method: string, ...params: unknown[]) =>
    resultOf(await post(request(method, params)));

  return {
    url,
    call,
    async callEach(method, params) {
      const answers: Wire[] = [];
      for (let from = 0; from < params.length; from += 200) {
        const part = params.slice(from, from + 200).map((one) => request(method, one));
        answers.push(...(await post(part)).map(resultOf));
      }
      return answers;
    },
    async mine(...transactions) {
      for (const { value = 0n, from = accounts[0], ...rest } of transactions) {
        const transaction = { from, value: `0x${value.toString(16)}`, gas: '0x100000', ...rest };
        await call('eth_sendTransaction', transaction);
      }
      await call('evm_mine');
      return Number(await call('eth_blockNumber'));
    },
  };
}

/** A word in hex, without 0x. */
export const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');

/** Deploys by CREATE2: data is a salt and the init code. Anvil has it from the start. */
export const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c';

/**
 * A contract that does what its call data say: none, and it destroys itself in favour of the caller; else it stores the
 * second word (zero if there is none) at the first.
 *
 *     CALLDATASIZE ISZERO PUSH1 0c JUMPI
 *     PUSH1 20 CALLDATALOAD PUSH0 CALLDATALOAD SSTORE STOP
 *     0c: JUMPDEST CALLER SELFDESTRUCT
 */
const slotContract = '3615600c576020355f3555005b33ff';

/**
 * Its init code, which stores 1 at slot 0 and returns it.
 *
 *     PUSH1 1 PUSH1 0 SSTORE
 *     PUSH1 length DUP1 PUSH1 0e PUSH0 CODECOPY PUSH0 RETURN
 */
export const slotInit = `6001600055600f80600e5f395ff3${slotContract}`;

/** Init code that destroys itself, after it stored 1 at slot 0. */
export const brieflyInit = '600160005533ff';

/** Init code that reverts. */
export const revertingInit = '5f5ffd';

export const store = (to: string, key: number, value: number): Transaction => ({
  to,
  data: `0x${word(key)}${word(value)}`,
});

export const create2 = (salt: number, init: string): Transaction => ({
  to: factory,
  data: `0x${word(salt)}${init}`,
});

/**
 * A rollup contract: two members, at the slots where the real one has them (281, 282).
 *
 *     PUSH0 CALLDATALOAD PUSH1 e0 SHR
 *     DUP1 PUSH4 695378f5 EQ PUSH1 1b JUMPI      currentL2BlockNumber()
 *     PUSH4 8be745d1 EQ PUSH1 26 JUMPI           stateRootHashes(uint256)
 *     PUSH0 PUSH0 REVERT
 *     1b: JUMPDEST PUSH2 0119 SLOAD PUSH0 MSTORE PUSH1 20 PUSH0 RETURN
 *     26: JUMPDEST PUSH1 04 CALLDATALOAD PUSH0 MSTORE PUSH2 011a PUSH1 20 MSTORE
 *         PUSH1 40 PUSH0 KECCAK256 SLOAD PUSH0 MSTORE PUSH1 20 PUSH0 RETURN
 */
export const rollupCode: Hex = `0x${[
  '5f3560e01c',
  '8063695378f514601b57',
  '638be745d114602657',
  '5f5ffd',
  '5b610119545f5260205ff3',
  '5b6004355f5261011a6020526040',
  '5f20545f5260205ff3',
].join('')}`;
