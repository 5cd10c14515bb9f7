/** The five commands to try on a devnet. */
import { CliError, exitCodes } from '../exit/exit.js';
import { quote } from '../print/print.js';
import { toCallData } from './callData.js';
import { badge } from './contracts.js';
import { type Devnet, key } from './devnet.js';
import { accounts } from './network.js';
import type { Supervisor } from './supervisor.js';

/** A command to try. */
export interface TryStep {
  /** What it shows. */
  readonly title: string;
  /** The line for a shell. */
  readonly line: string;
  /** What it rests on, or how to read what it prints. */
  readonly note: string;
  /** What the line runs: arguments of `l2proof` and its environment, or a request that `curl` sends. */
  readonly runs:
    | { readonly args: readonly string[]; readonly env?: NodeJS.ProcessEnv }
    | { readonly url: string; readonly body: string };
}

const [, bob] = accounts;

/** A line of `l2proof`, as a step has it. */
function command(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const set = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  return { line: `${set.join('')}npx l2proof ${args.join(' ')}`, runs: { args, env } };
}

/** A request by `curl`, as a step has it. */
function request(url: string, method: string, params: readonly unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return {
    line: `curl -s ${url} -H 'content-type: application/json' -d '${body}'`,
    runs: { url, body },
  };
}

/** The commands, with the URLs of a devnet. */
export function stepsOf(devnet: Devnet): readonly TryStep[] {
  const { networkFile, network, l1, l2, proofs, data, proxy, contracts, swap, l1BlockHash } =
    devnet;
  const rollup = ['--network', networkFile, '--l1', l1];
  const fetch = ['fetch', ...rollup, '--l2', proofs];
  const chain = ['--chain', network.name];
  const owner = toCallData(badge.methods['ownerOf(uint256)'], 1n);
  return [
    {
      title: "Bob's ether, proven",
      ...command([...fetch, '--address', bob, '--l1-block-hash', l1BlockHash]),
      note: 'All of it follows from the hash of one block of L1: no server is believed.',
    },
    {
      title: "Bob's dollars in the storage of their token, proven",
      ...command([...fetch, '--address', contracts.dollar, '--slot', `mapping:${bob}:0`]),
      note: 'The value is his dollars in millionths, in hex: 0xe27f6600 is 3,800 dollars. One L1 node is believed for the root.',
    },
    {
      title: 'A call of a contract, run on proven state: who owns badge 1?',
      ...request(proxy, 'eth_call', [{ to: contracts.badge, data: owner }, 'latest']),
      note: `The result is Bob's address, ${bob}. A wallet can have the proxy's URL, too.`,
    },
    {
      title: 'What happened in a transaction, proven: Bob swapped',
      ...command([
        ...['decode', swap, '--prove', ...rollup, '--l2', proofs, '--node', l2],
        ...[...chain, '--wrapped-native', contracts.wrappedEther],
      ]),
      note: 'No server of L2 is believed. "l2proof tx" shows the same transaction with its receipt, "l2proof logs" all logs of some blocks.',
    },
    {
      title: 'All that Bob holds, each amount proven',
      ...command(
        [
          ...['balances', '--address', bob, ...chain, '--url', data],
          ...['--prove', ...rollup, '--l2', l2],
        ],
        { L2PROOF_DATA_KEY: key },
      ),
      note: 'The server lists the tokens; that each amount is right follows from L1. "l2proof transactions", "l2proof transfers" and "l2proof holders" list more; with --prove, each row is proven.',
    },
  ];
}

/** What a JSON-RPC server answers. */
interface Answer {
  readonly result?: unknown;
}

/** Runs a command to its end. @returns what it prints @throws CliError */
export async function runStep({ runs, line }: TryStep, supervisor: Supervisor): Promise<string> {
  if ('args' in runs) return supervisor.run(runs.args, runs.env);
  // As curl does, which not every machine has.
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(runs.url, { method: 'POST', headers, body: runs.body });
  const text = await response.text();
  if ((JSON.parse(text) as Answer).result !== undefined) return text;
  throw new CliError(exitCodes.unknown, `the devnet cannot answer ${quote(line)}: ${quote(text)}`, {
    code: 'FAILED',
  });
}
