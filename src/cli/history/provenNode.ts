/** A node for the decoder that answers one transaction, its receipt and block, and calls of contracts: all of it proven. */
import type { AnchoredRoot, Network } from '../../anchor/index.js';
import type { BlockHeader, BlockTransaction, Receipt } from '../../history/index.js';
import type { ProviderError, ProviderErrorData, ProviderOptions } from '../../provider/index.js';
import type { Transport } from '../../rpc/index.js';
import type { DecodedChain } from '../../service/index.js';

/** What is proven, and how calls run. */
interface Options {
  readonly transaction: BlockTransaction;
  readonly receipt: Receipt;
  readonly header: BlockHeader;
  readonly anchor: AnchoredRoot;
  readonly network: Network;
  readonly l2: Transport;
  /** The rules of calls if the anchor does not say them. */
  readonly fork: ProviderOptions['fork'];
}

/** It stands in the place of a node's URL, and sends nothing. */
export interface ProvenNode {
  /** How it is asked; a call takes as long as the provider lets it. */
  readonly chain: Required<Pick<DecodedChain, 'url' | 'fetch' | 'timeout'>>;
  /** The assumptions of calls so far, such as `fork`. */
  readonly assumed: ReadonlySet<string>;
  /** Contracts that have no proven answer so far, and why. */
  readonly unproven: ReadonlyMap<string, string>;
  /** Refuses to go on if calls cannot run, because a package is missing. @throws EvmError `MISSING_PEER` */
  check(): void;
}

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Codes of a call that ran here and failed, by the contract's own doing: that, too, is proven. */
const failed: readonly number[] = [3, -32000];

/** JSON-RPC code of a call that failed. */
const reverted = 3;
const notProven = -32001;

/** Answers from what is proven. Nothing is final to it, so that nobody keeps what it says. */
export async function openProvenNode(options: Options): Promise<ProvenNode> {
  const { transaction, receipt, header, anchor, network, l2, fork } = options;
  const { createProvider } = await import('../../provider/index.js');
  const provider = createProvider({ l2, network, anchor, fork });
  const assumed = new Set<string>();
  const unproven = new Map<string, string>();
  let lacking: unknown;

  async function call([request]: readonly unknown[]): Promise<object> {
    try {
      const params = [request, 'latest'];
      const explained = await provider.explain({ method: 'eth_call', params });
      for (const name of explained.assumed) assumed.add(name);
      return { result: explained.result };
    } catch (error) {
      const { code, message, data, cause } = error as ProviderError;
      if (failed.includes(code)) return { error: { code: reverted, message: 'reverted' } };
      if ((data as ProviderErrorData | undefined)?.reason === 'MISSING_PEER') lacking = cause;
      unproven.set(String((request as { to?: unknown }).to), message);
      return { error: { code: notProven, message } };
    }
  }

  async function answer({ method, params }: Question): Promise<object> {
    const [first] = params;
    switch (method) {
      case 'eth_chainId':
        return { result: `0x${network.l2ChainId.toString(16)}` };
      case 'eth_getTransactionByHash':
        return { result: first === transaction.hash ? transaction : null };
      case 'eth_getTransactionReceipt':
        return { result: first === transaction.hash ? receipt : null };
      case 'eth_getBlockByNumber':
        return { result: first === header.number ? header : null };
      case 'eth_call':
        return call(params);
      default:
        return { error: { code: -32601, message: 'not answered' } };
    }
  }

  return {
    chain: {
      url: 'http://proven.invalid/',
      timeout: 60_000,
      async fetch(_url, init) {
        const question = JSON.parse(String(init?.body)) as Question;
        return Response.json({ jsonrpc: '2.0', id: question.id, ...(await answer(question)) });
      },
    },
    assumed,
    unproven,
    check() {
      if (lacking !== undefined) throw lacking;
    },
  };
}
