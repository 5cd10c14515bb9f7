/** What an index by receipts should say of a chain: worked out from its transactions one by one, with viem alone. */
import { decodeEventLog, type Hex, parseAbi } from 'viem';
import type { NodeReceipt } from './answers.js';
import type { Anvil } from './anvil.js';

const zero: Hex = `0x${'0'.repeat(40)}`;
const indexed20 = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 amount)',
  'event Approval(address indexed owner, address indexed spender, uint256 amount)',
  'event Deposit(address indexed wallet, uint256 amount)',
  'event Withdrawal(address indexed wallet, uint256 amount)',
]);
const indexed721 = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event Approval(address indexed owner, address indexed spender, uint256 indexed id)',
]);
const others = parseAbi([
  'event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 amount)',
  'event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] amounts)',
  'event ApprovalForAll(address indexed owner, address indexed spender, bool all)',
]);

export interface ModelMove {
  readonly block: number;
  readonly log: number;
  readonly part: number;
  readonly transaction: number;
  readonly contract: Hex;
  readonly standard: 'erc20' | 'erc721' | 'erc1155';
  readonly from: Hex;
  readonly to: Hex;
  readonly id: bigint | undefined;
  readonly amount: bigint;
}

export interface ChainModel {
  /** Wallet -> `block transaction` -> bits: 1 sent, 2 received, 4 created, 8 token moved, 16 approved. */
  readonly touched: Map<string, Map<string, number>>;
  readonly fees: Map<string, bigint>;
  readonly sent: Map<string, number>;
  readonly moves: ModelMove[];
  /** Contract or topic -> block -> logs. */
  readonly emitted: Map<string, Map<number, number>>;
  readonly topics: Map<string, Map<number, number>>;
}

type Move = Omit<ModelMove, 'block' | 'log' | 'transaction' | 'contract'>;
type Log = NodeReceipt['logs'][number];

/** The event of a log, by the first of the ABIs whose layout fits it exactly. */
function eventOf(log: Log): { eventName: string; args: object } | undefined {
  for (const abi of [indexed20, indexed721, others]) {
    try {
      const { data } = log;
      const topics = log.topics as [Hex, ...Hex[]];
      return decodeEventLog({ abi: abi as typeof indexed20, data: data as Hex, topics }) as never;
    } catch {
      // Another layout.
    }
  }
  return undefined;
}

function movesOf(name: string, args: object): Move[] {
  const { from, to, id, amount, wallet, ids, amounts } = args as {
    [name in 'from' | 'to' | 'wallet']: Hex;
  } & { id: bigint; amount: bigint; ids: bigint[]; amounts: bigint[] };
  const erc20 = { part: 0, standard: 'erc20', id: undefined, amount } as const;
  if (name === 'Deposit') return [{ ...erc20, from: zero, to: wallet }];
  if (name === 'Withdrawal') return [{ ...erc20, from: wallet, to: zero }];
  if (name === 'TransferSingle') return [{ part: 0, standard: 'erc1155', from, to, id, amount }];
  if (name === 'TransferBatch') {
    return ids.map((one, part) => ({
      ...{ part, standard: 'erc1155', from, to, id: one, amount: amounts[part] as bigint },
    }));
  }
  if (name !== 'Transfer') return [];
  if (id === undefined) return [{ ...erc20, from, to }];
  return [{ part: 0, standard: 'erc721', from, to, id, amount: 1n }];
}

const count = <Key>(counts: Map<Key, number>, key: Key): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

function inner<Key, Value>(maps: Map<string, Map<Key, Value>>, name: string): Map<Key, Value> {
  const found = maps.get(name) ?? new Map<Key, Value>();
  maps.set(name, found);
  return found;
}

/** Reads all blocks up to one. */
export async function modelOf(node: Anvil, newest: number): Promise<ChainModel> {
  const model: ChainModel = {
    ...{ touched: new Map(), fees: new Map(), sent: new Map(), moves: [] },
    ...{ emitted: new Map(), topics: new Map() },
  };
  for (let block = 0; block <= newest; block++) {
    const { transactions } = await node.call(
      'eth_getBlockByNumber',
      `0x${block.toString(16)}`,
      false,
    );
    for (const [transaction, hash] of transactions.entries()) {
      addReceipt(model, await node.call('eth_getTransactionReceipt', hash), { block, transaction });
    }
  }
  return model;
}

function addReceipt(
  model: ChainModel,
  receipt: NodeReceipt & Record<string, Hex>,
  at: { block: number; transaction: number },
): void {
  const touch = (wallet: string | null | undefined, bit: number) => {
    if (!wallet || wallet === zero) return;
    const ofWallet = inner(model.touched, wallet.toLowerCase());
    const name = `${at.block} ${at.transaction}`;
    ofWallet.set(name, (ofWallet.get(name) ?? 0) | bit);
  };
  const { from, to, contractAddress, gasUsed, effectiveGasPrice } = receipt;
  touch(from, 1);
  touch(to, 2);
  touch(contractAddress, 4);
  const sender = from as string;
  count(model.sent, sender);
  const fees = BigInt(gasUsed as Hex) * BigInt(effectiveGasPrice as Hex);
  model.fees.set(sender, (model.fees.get(sender) ?? 0n) + fees);
  for (const log of receipt.logs) {
    const contract = log.address as Hex;
    count(inner(model.emitted, contract), at.block);
    if (log.topics[0]) count(inner(model.topics, log.topics[0]), at.block);
    const event = eventOf(log);
    if (event === undefined) continue;
    touch((event.args as { owner?: string }).owner, 16);
    for (const move of movesOf(event.eventName, event.args)) {
      const lower = { from: move.from.toLowerCase() as Hex, to: move.to.toLowerCase() as Hex };
      touch(lower.from, 8);
      touch(lower.to, 8);
      model.moves.push({ ...move, ...lower, ...at, contract, log: Number(log.logIndex) });
    }
  }
}
