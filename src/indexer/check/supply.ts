/** What contracts themselves say of their tokens, at the block that the index has come to. */
import { decodeUint256 } from '../../abi/answers.js';
import { type AbiCall, callData } from '../../abi/call.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { FollowError } from '../../follow/node/errors.js';
import { ownMember } from '../../foreign/members.js';
import { dataBytes, hexText, parseQuantity } from '../../foreign/values.js';
import { callPatiently } from '../../rpc/caller.js';
import { RpcError, type Transport } from '../../rpc/index.js';
import { createNodeClient, type NodeClient, toAskNode } from '../../rpc/nodeClient.js';
import { numberText } from '../../rpc/transport.js';
import { IndexError } from '../layout/errors.js';
import type { TokenSums } from './contractLaws.js';

/** Bytes of an answer, and gas of a call: a contract may answer without end, or burn all that it gets. */
const maxAnswer = 4096;
const callGas = 1_000_000;

/** Questions on their way at once. */
const concurrent = 8;

/** How the sums of a token stand to what its contract says. */
export type Standing =
  /** The sums of some wallets, and of all of them, are the contract's balances and its supply. */
  | 'equal'
  /** They are not, and nothing shows that the contract gives or takes without events. */
  | 'different'
  /** Wallets sent what they had got without an event, or most balances are others: so it does. */
  | 'moving'
  /** The contract does not say. */
  | 'silent';

/** What a contract says of a token whose sums differ. */
export interface Supply {
  readonly standing: Standing;
  /** What `totalSupply` answered; undefined if it did not. */
  readonly supply: bigint | undefined;
  /** The first wallet whose balance is another than its sum. */
  readonly wallet: Hex | undefined;
}

export interface SupplyCheck {
  /** @throws RpcError, or the signal's reason */
  of(contract: Hex, token: TokenSums): Promise<Supply>;
  /** @throws FollowError `NODE_FAILED` if the node has left the block */
  end(): Promise<void>;
}

/** Selector of `totalSupply()`. */
const totalSupply = callData('0x18160ddd');

/** The zero address, which is no wallet. */
const nobody: Hex = `0x${'0'.repeat(40)}`;

function createCalls(client: NodeClient, block: number) {
  const read = (answer: unknown) => decodeUint256(dataBytes(answer, maxAnswer));
  return async ({ to, data }: AbiCall): Promise<bigint | undefined> => {
    try {
      return await client.call({ to, data, gas: callGas }, block, read, 2 * maxAnswer + 1024);
    } catch (error) {
      // The contract may be at fault as well as the node: it is left out.
      const { code } = error as Partial<RpcError>;
      if (error instanceof RpcError && (code === 'SERVER_ERROR' || code === 'TOO_LARGE')) {
        return undefined;
      }
      throw error;
    }
  };
}

/**
 * Prepares to ask a node.
 *
 * @param at the newest block of the index
 * @throws IndexError `WRONG_CHAIN`; FollowError `NODE_FAILED` if the node is on another block; RpcError
 */
export async function createSupplyCheck(
  l2: Transport,
  at: { readonly chainId: number; readonly block: number; readonly hash: Hex },
  signal: AbortSignal | undefined,
): Promise<SupplyCheck> {
  const client = createNodeClient(
    toAskNode((method, params, maxBytes) =>
      callPatiently(l2, method, params, signal, { maxBytes }),
    ),
  );
  const chainId = await client.chainId((answer) => parseQuantity(answer, 53));
  if (chainId !== BigInt(at.chainId)) {
    const other = chainId === undefined ? 'none that is known' : numberText([l2], chainId);
    const text = `the node serves chain ${other}, and the index is of chain ${at.chainId}`;
    throw new IndexError('WRONG_CHAIN', text);
  }
  async function expectBlock(): Promise<void> {
    const hash = await client.block(at.block, (answer) => hexText(ownMember(answer, 'hash'), 32));
    if (hash === at.hash) return;
    const text = `the node is not on block ${at.block} of the index, so it cannot say what is right there; check again`;
    throw new FollowError('NODE_FAILED', text);
  }
  await expectBlock();
  const ask = createCalls(client, at.block);
  return {
    async of(contract, { total, hasNegative, wallets }) {
      const calls = wallets.flatMap(({ wallet }) =>
        holdingCalls('erc20', { contract, wallet }, []),
      );
      const [nobodys] = holdingCalls('erc20', { contract, wallet: nobody }, []) as [AbiCall];
      const all = [{ to: contract, data: totalSupply }, nobodys, ...calls];
      const [supply, burnt = 0n, ...balances] = await mapConcurrently(all, concurrent, ask);
      const others = wallets.filter(({ sum }, i) => balances[i] !== sum);
      const wallet = others[0]?.wallet;
      const isSilent = supply === undefined || balances.includes(undefined);
      const isMoving = hasNegative || 2 * others.length > wallets.length;
      // Sent to nobody, a token is burnt; but some contracts go on counting it.
      const isWhole = supply === total || supply === total + burnt;
      const isEqual = isWhole && others.length === 0;
      const standing = isSilent ? 'silent' : isEqual ? 'equal' : isMoving ? 'moving' : 'different';
      return { standing, supply, wallet };
    },
    end: expectBlock,
  };
}
