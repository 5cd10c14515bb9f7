/**
 * An L2 node for `npm run bench -- index`: a made-up chain of token events, a transaction with one log each, and JSON-RPC batches.
 * Says its port on standard output; `bench_head` sets how far the chain has come.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const [perBlock, wallets, tokens, busy] = process.argv.slice(2).map(Number);

const digest = (text) => createHash('sha256').update(text).digest('hex');
const hex = (value) => `0x${value.toString(16)}`;
const word = (value) => BigInt(value).toString(16).padStart(64, '0');

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
const deposit = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';

const walletTopics = Array.from(
  { length: wallets },
  (_, i) => `0x${'0'.repeat(24)}${digest(`wallet ${i}`).slice(24)}`,
);
const contracts = Array.from({ length: tokens }, (_, i) => `0x${digest(`token ${i}`).slice(24)}`);

/** Numbers below a limit that depend on the transaction alone. */
function numbersOf(transaction) {
  const bytes = Buffer.from(digest(`transaction ${transaction}`), 'hex');
  let at = 0;
  return (limit) => {
    const number = bytes.readUInt32LE(at) % limit;
    at += 4;
    return number;
  };
}

/** Of 20 transactions, 14 move ERC-20 tokens, 3 approve, and one each moves an ERC-721, an ERC-1155, and wraps. */
function eventOf(transaction) {
  const below = numbersOf(transaction);
  const kind = below(20);
  // Few tokens have most of the events.
  const token = Math.floor(tokens * (below(1000) / 1000) ** 3);
  // One side is a pool, a router or an exchange, as it nearly always is; they come first.
  const sides = [walletTopics[below(busy)], walletTopics[below(wallets)]];
  const [from, to] = below(2) === 0 ? sides : sides.reverse();
  const amount = `0x${word(below(2 ** 31))}`;
  const address = contracts[token];
  if (kind < 14) return { address, topics: [transfer, from, to], data: amount };
  if (kind < 17) return { address, topics: [approval, from, to], data: amount };
  if (kind === 17) {
    const id = `0x${word(below(10_000))}`;
    return { address, topics: [transfer, from, to, id], data: '0x' };
  }
  if (kind === 18) {
    return { address, topics: [single, from, from, to], data: `0x${word(below(100))}${word(1)}` };
  }
  return { address, topics: [deposit, from], data: amount };
}

const hashOf = (block) => `0x${digest(`block ${block}`)}`;
const timeOf = (block) => hex(1_700_000_000 + 2 * block);

function logsOf(block) {
  const logs = [];
  for (let index = 0; index < perBlock; index++) {
    const transaction = block * perBlock + index;
    logs.push({
      ...eventOf(transaction),
      blockHash: hashOf(block),
      blockNumber: hex(block),
      blockTimestamp: timeOf(block),
      transactionHash: `0x${digest(`hash ${transaction}`)}`,
      transactionIndex: hex(index),
      logIndex: hex(index),
      removed: false,
    });
  }
  return logs;
}

const transactionHash = (transaction) => `0x${digest(`hash ${transaction}`)}`;
const emptyBloom = `0x${'0'.repeat(512)}`;
const blocks = new Map();

function receiptsOf(block) {
  return logsOf(block).map((log, index) => ({
    ...{ type: '0x2', status: '0x1', cumulativeGasUsed: hex(60_000 * (index + 1)) },
    ...{ logs: [log], logsBloom: emptyBloom, transactionHash: log.transactionHash },
    ...{ transactionIndex: log.transactionIndex, blockHash: log.blockHash },
    ...{ blockNumber: log.blockNumber, gasUsed: '0xea60', effectiveGasPrice: '0x3b9aca00' },
    // The wallet that moves sends; the token is called.
    ...{ from: `0x${(log.topics[1] ?? '').slice(26)}`, to: log.address, contractAddress: null },
  }));
}

const headerOf = (block) => ({
  number: hex(block),
  hash: hashOf(block),
  parentHash: hashOf(block - 1),
  timestamp: timeOf(block),
  stateRoot: hashOf(-block),
  transactions: Array.from({ length: perBlock }, (_, i) => transactionHash(block * perBlock + i)),
});

let head = 0;
const methods = {
  bench_head: ([number]) => {
    head = number;
    return true;
  },
  eth_chainId: () => '0x1',
  eth_blockNumber: () => hex(head),
  eth_getBlockByNumber: ([tag]) => {
    const number = tag === 'finalized' ? head : Number(tag);
    blocks.set(hashOf(number), number);
    return headerOf(number);
  },
  eth_getBlockReceipts: ([block]) => receiptsOf(blocks.get(block) ?? Number(block)),
  eth_getLogs: ([{ fromBlock, toBlock }]) => {
    const logs = [];
    for (let block = Number(fromBlock); block <= Number(toBlock); block++)
      logs.push(...logsOf(block));
    return logs;
  },
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const asked = JSON.parse(body);
  const answerOf = ({ id, method, params }) => ({
    ...{ jsonrpc: '2.0', id, result: methods[method](params) },
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerOf) : answerOf(asked)));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
