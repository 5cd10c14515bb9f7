/**
 * An L2 node for `npm run bench -- follow`: a made-up chain of transfers between wallets, each between two that the block
 * names once. Says its port on standard output; `bench_extend` makes further blocks of so many changes.
 */
import { createServer } from 'node:http';

const wallets = Number(process.argv[2]);

const hex = (value) => `0x${value.toString(16)}`;
const padded = (value, width) => `0x${value.toString(16).padStart(2 * width, '0')}`;
const hashOf = (block) => padded(block + 1, 32);
const transactionHash = (block, index) => padded((BigInt(block) << 32n) | BigInt(index), 32);
const emptyBloom = `0x${'0'.repeat(512)}`;

const baseFee = 7n;
const gas = 21_000n;
const value = 1n;
const nonces = new Array(wallets).fill(0);
const balances = new Array(wallets).fill(10n ** 18n);

/** Answers by the method and the number of the block, as text: what the node does is not measured. */
const answers = { headers: [], traces: [], receipts: [] };

/** Wallets, each once, that are far from one another in the order of their keys: these are hashes. */
function chosen(count) {
  const all = new Set();
  while (all.size < count) all.add(Math.floor(Math.random() * wallets));
  return [...all];
}

/** The trace of a transfer. */
function transfer(from, to) {
  const part = (wallet) => ({ balance: hex(balances[wallet]), nonce: nonces[wallet] });
  const [sender, recipient] = [padded(1 + from, 20), padded(1 + to, 20)];
  const pre = { [sender]: part(from), [recipient]: part(to) };
  balances[from] -= value + gas * baseFee;
  nonces[from]++;
  balances[to] += value;
  const post = { [sender]: part(from), [recipient]: { balance: hex(balances[to]) } };
  return { pre, post };
}

function addBlock(changes) {
  const number = answers.headers.length;
  const sides = chosen(changes);
  const transactions = Array.from({ length: changes / 2 }, (_, i) => transactionHash(number, i));
  const traces = transactions.map((txHash, i) => ({
    txHash,
    result: transfer(sides[2 * i], sides[2 * i + 1]),
  }));
  const receipts = transactions.map((hash, i) => ({
    ...{ type: '0x2', status: '0x1', cumulativeGasUsed: hex(gas * BigInt(i + 1)) },
    ...{ logs: [], logsBloom: emptyBloom, transactionHash: hash, transactionIndex: hex(i) },
    ...{ blockHash: hashOf(number), blockNumber: hex(number), gasUsed: hex(gas) },
    ...{ effectiveGasPrice: hex(baseFee), from: padded(1 + sides[2 * i], 20) },
    ...{ to: padded(1 + sides[2 * i + 1], 20), contractAddress: null },
  }));
  const header = {
    ...{ number: hex(number), hash: hashOf(number), parentHash: hashOf(number - 1) },
    ...{ timestamp: hex(1_700_000_000 + 2 * number), stateRoot: hashOf(number) },
    ...{ baseFeePerGas: hex(baseFee), gasUsed: hex(gas * BigInt(transactions.length)) },
    ...{ logsBloom: emptyBloom, transactions },
  };
  answers.headers.push(JSON.stringify(header));
  answers.traces.push(JSON.stringify(traces));
  answers.receipts.push(JSON.stringify(receipts));
}

// The genesis.
addBlock(0);

const newest = () => answers.headers.length - 1;
const methods = {
  bench_extend: ([blocks, changes]) => {
    for (let i = 0; i < blocks; i++) addBlock(changes);
    return newest();
  },
  eth_blockNumber: () => JSON.stringify(hex(newest())),
  eth_getBlockByNumber: ([tag]) => answers.headers[tag === 'finalized' ? newest() : Number(tag)],
  eth_getBlockReceipts: ([block]) => answers.receipts[Number(block)],
  debug_traceBlockByNumber: ([block]) => answers.traces[Number(block)],
};

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  response.setHeader('content-type', 'application/json');
  response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${methods[method](params)}}`);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
