/** What a wallet holds. Each figure is worked out in this page from proofs; what does not hold is thrown. */
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
}

async function etherOf(owner: Address): Promise<Figure> {
  const params = [owner, 'latest'];
  const { result, assumed } = await client.explain({ method: 'eth_getBalance', params });
  return { name: 'Ether', text: formatEther(BigInt(result as Hex)), assumed };
}

async function tokensOf(owner: Address, token: Address): Promise<Figure> {
  const balanceOf = { abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const;
  const params = [{ to: token, data: encodeFunctionData(balanceOf) }, 'latest'];
  // The contract runs in this page, on proven state: plain viem calls do, too.
  const [{ result, assumed }, decimals, symbol] = await Promise.all([
    client.explain({ method: 'eth_call', params }),
    client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' }),
    client.readContract({ address: token, abi: erc20Abi, functionName: 'symbol' }),
  ]);
  const amount = decodeFunctionResult({ ...balanceOf, data: result as Hex });
  return { name: symbol, text: formatUnits(amount, decimals), assumed };
}

/** @throws if a server lies, or cannot be reached */
export async function holdingsOf(owner: Address, token: Address) {
  const figures = await Promise.all([etherOf(owner), tokensOf(owner, token)]);
  const { l2BlockNumber, how } = await client.getAnchor();
  return { figures, l2BlockNumber, how };
}
