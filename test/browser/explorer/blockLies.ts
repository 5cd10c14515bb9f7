/** False figures about transactions, blocks and messages. */
import { type Falsification, otherDigit } from './lies.js';
import type { Passing, World } from './world.js';

// biome-ignore lint/suspicious/noExplicitAny: any answer of any server
type Change = (result: any) => unknown;

/** Changes the result of a method of the L2 node. */
const inResult =
  (asked: string, change: Change) =>
  ({ path, method, body }: Passing) => {
    if (path === '/l2' && method === asked && body.result) change(body.result);
    return body;
  };

const flip =
  (name: string): Change =>
  (of) => {
    of[name] = otherDigit(of[name]);
  };

/** Blocks come with whole transactions, with hashes or bare, as the question has it. */
const inTransaction: (change: Change) => Change = (change) => (block) => {
  const [first] = block.transactions ?? [];
  if (typeof first === 'object') change(first);
};

const headers = ['timestamp', 'gasUsed', 'gasLimit', 'miner', 'baseFeePerGas', 'parentHash'];
const members = ['value', 'input', 'to', 'gas', 'nonce', 'maxFeePerGas', 'r'];

export function blockLies({ devnet: { devnet } }: World): readonly Falsification[] {
  const place = `#/transaction/${devnet.swap}`;
  const sent = `#/transaction/${devnet.message}`;
  const block = `#/block/${devnet.block - 2}`;
  const receipts = (name: string, change: Change): Falsification => ({
    name,
    place,
    lie: inResult('eth_getBlockReceipts', ([first]) => change(first)),
  });
  return [
    {
      name: 'the block of a transaction',
      place,
      lie: inResult('eth_getTransactionByHash', (transaction) => {
        transaction.blockNumber = '0x3';
      }),
    },
    ...members.map((name) => ({
      name: `${name} of a transaction`,
      place,
      lie: inResult('eth_getBlockByNumber', inTransaction(flip(name))),
    })),
    receipts('that it was reverted', (receipt) => {
      receipt.status = '0x0';
    }),
    receipts('gas that it used', flip('cumulativeGasUsed')),
    receipts('the contract of a log', ({ logs: [log] }) => flip('address')(log)),
    receipts('the amount in a log', ({ logs: [log] }) => flip('data')(log)),
    receipts('an address in a log', ({ logs: [{ topics }] }) => {
      topics[1] = otherDigit(topics[1]);
    }),
    receipts('a log that is left out', ({ logs }) => logs.pop()),
    receipts('a log that is put in', ({ logs }) => logs.push(logs[0])),
    {
      name: 'the code of a token that says its name',
      place,
      lie: ({ method, body }) => {
        if (method === 'eth_getCode') body.result = otherDigit(body.result, 200);
        return body;
      },
    },
    ...headers.map((name) => ({
      name: `${name} of a block`,
      place: block,
      lie: inResult('eth_getBlockByNumber', flip(name)),
    })),
    {
      name: 'a transaction that is left out of its block',
      place: block,
      lie: inResult('eth_getBlockByNumber', ({ transactions }) => transactions?.pop()),
    },
    {
      name: 'the hash of a block in the state',
      place: block,
      lie: ({ method, body }) => {
        const [slot] = (method === 'l2_getProof' && body.result?.storageProofs) || [];
        if (slot?.proof) slot.proof.value = otherDigit(slot.proof.value);
        return body;
      },
    },
    {
      name: 'the value of a message',
      place: sent,
      lie: inResult('eth_getLogs', ([log]) => {
        if (log) log.data = otherDigit(log.data, 2 + 64 * 2 - 1);
      }),
    },
    {
      name: 'a message that is left out',
      place: sent,
      shown: 'truth',
      lie: inResult('eth_getLogs', (logs) => logs.splice(0)),
    },
  ];
}
