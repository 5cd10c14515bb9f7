/** What a wallet holds. Each figure is worked out in this page from proofs; what does not hold is thrown. */
import type { Explained } from 'l2proof/provider';
import { createTransport, type Transport } from 'l2proof/rpc';
import { verifiedActions, verifiedTransport } from 'l2proof/viem';
import {
  type Address,
  createPublicClient,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  formatEther,
  formatUnits,
  type Hex,
} from 'viem';
import { network } from './network';

const { VITE_L1_URL, VITE_NODE_URL, VITE_PROOFS_URL } = import.meta.env;

const proofs = createTransport({ url: VITE_PROOFS_URL });
const node = createTransport({ url: VITE_NODE_URL });
/** The server of proofs, and for the code of contracts any node of L2: the code is held against its proven hash. */
const l2: Transport = {
  call: (method, ...rest) => (method === network.method ? proofs : node).call(method, ...rest),
};

// Here stood http(VITE_NODE_URL).
const transport = verifiedTransport({ l2, l1: createTransport({ url: VITE_L1_URL }), network });
const client = createPublicClient({ transport }).extend(verifiedActions());

export interface Figure {
  readonly name: string;
  readonly text: string;
  /** What it rests on that is not proven, such as a time that a contract read. */
  readonly assumed: readonly string[];
  /** The roots that its answers are proven under. */
  readonly anchors: readonly Explained['anchor'][];
}

async function etherOf(owner: Address): Promise<Figure> {
  const params = [owner, 'latest'];
  const { result, assumed, anchor } = await client.explain({ method: 'eth_getBalance', params });
  const text = formatEther(BigInt(result as Hex));
  return { name: 'Ether', text, assumed, anchors: [anchor] };
}

async function tokensOf(owner: Address, token: Address): Promise<Figure> {
  const balanceOf = { abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const;
  const decimals = { abi: erc20Abi, functionName: 'decimals' } as const;
  const symbol = { abi: erc20Abi, functionName: 'symbol' } as const;
  // The contract runs in this page, on proven state: plain viem calls do, too.
  const ask = (data: Hex) =>
    client.explain({ method: 'eth_call', params: [{ to: token, data }, 'latest'] });
  const answers = await Promise.all([
    ask(encodeFunctionData(balanceOf)),
    ask(encodeFunctionData(decimals)),
    ask(encodeFunctionData(symbol)),
  ]);
  const [held, places, name] = answers.map(({ result }) => result as Hex) as [Hex, Hex, Hex];
  const amount = decodeFunctionResult({ ...balanceOf, data: held });
  return {
    name: decodeFunctionResult({ ...symbol, data: name }),
    text: formatUnits(amount, decodeFunctionResult({ ...decimals, data: places })),
    assumed: [...new Set(answers.flatMap(({ assumed }) => assumed))],
    anchors: answers.map(({ anchor }) => anchor),
  };
}

/** Figures of one block. @throws if a server lies, or cannot be reached */
export async function holdingsOf(owner: Address, token: Address) {
  for (let tries = 0; tries < 3; tries++) {
    const figures = await Promise.all([etherOf(owner), tokensOf(owner, token)]);
    const [anchor, ...others] = figures.flatMap(({ anchors }) => anchors);
    // If L1 has finalized a newer block between the questions, all of them are asked again.
    const isOne = others.every((other) => other?.l2BlockNumber === anchor?.l2BlockNumber);
    if (anchor && isOne) return { figures, l2BlockNumber: anchor.l2BlockNumber, how: anchor.how };
  }
  throw new Error('the answers are of different blocks: look again');
}
