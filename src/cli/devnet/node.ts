/** The nodes of a devnet: Anvil, on loopback. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Hex } from '../../index.js';
import { createTransport } from '../../rpc/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { accounts, fork } from './network.js';
import type { Supervisor } from './supervisor.js';

/** A transaction of one of the accounts, which Anvil signs. */
export interface Transaction {
  readonly from: Hex;
  /** Undefined to deploy a contract. */
  readonly to?: Hex;
  /** Wei. */
  readonly value?: bigint;
  readonly data?: Hex;
}

/** The outcome of a transaction. */
export interface Mined {
  readonly hash: Hex;
  readonly block: number;
  /** The contract that it deployed. */
  readonly contract: Hex | undefined;
}

/** One of the two chains. */
export interface DevNode {
  readonly url: string;
  /** Asks the node, which is our own: what it answers is believed. */
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Sends a transaction, and waits for its block. @throws CliError if it failed */
  send(transaction: Transaction): Promise<Mined>;
}

/** The program that starts Anvil. */
export const anvilModule = '@foundry-rs/anvil/bin.mjs';

/** States of earlier blocks that a node keeps in memory. It writes none to the disk. */
const keptStates = 2000;

const options = [
  ...['--hardfork', fork, '--accounts', String(accounts.length)],
  // Block n is final once block n + 2 is there.
  ...['--slots-in-an-epoch', '1', '--order', 'fifo', '--prune-history', String(keptStates)],
];

/** More gas than any transaction here takes, so that none is estimated. */
const gas = '0x2dc6c0';

interface Receipt {
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
}

/** @param name for messages @param file is written, with the genesis @param port 0: any that is free */
export async function startNode(
  supervisor: Supervisor,
  {
    name,
    genesis,
    file,
    port,
  }: { name: string; genesis: { config: { chainId: number } }; file: string; port: number },
  ...more: string[]
): Promise<DevNode> {
  await writeFile(file, JSON.stringify(genesis));
  const chain = ['--init', file, '--chain-id', String(genesis.config.chainId)];
  const anvil = fileURLToPath(import.meta.resolve(anvilModule));
  const args = ['--port', String(port), ...options, ...chain, ...more];
  const running = supervisor.start(name, [anvil, ...args]);
  const [, address] = await Promise.race([running.said(/Listening on (\S+)/), supervisor.failure]);
  const url = `http://${address}`;
  const transport = createTransport({ url });
  const call = <T>(method: string, ...params: unknown[]) =>
    transport.call(method, params) as Promise<T>;
  return {
    url,
    call,
    async send({ value = 0n, ...rest }) {
      const transaction = { ...rest, gas, value: `0x${value.toString(16)}` };
      const hash = await call<Hex>('eth_sendTransaction', transaction);
      for (;;) {
        const receipt = await call<Receipt | null>('eth_getTransactionReceipt', hash);
        if (receipt === null) {
          // It is mined at once, but the answer to it may come a moment before.
          await sleep(5);
          continue;
        }
        const { status, blockNumber, contractAddress } = receipt;
        if (status !== '0x1')
          throw new CliError(exitCodes.unknown, `a transaction of the devnet failed: ${hash}`, {
            code: 'FAILED',
          });
        return { hash, block: Number(blockNumber), contract: contractAddress ?? undefined };
      }
    },
  };
}
