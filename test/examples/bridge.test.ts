/** The relayer: each message is claimed once on L1, however often it is killed, and what nobody sent is not claimed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { like } from '../support/pages.js';
import type { Wire } from '../support/runs.js';
import { until } from '../support/until.js';
import { alice, bob, copyExample, type Example, l1, l2, shared } from './example.js';
import { type Lie, startLiar } from './liar.js';
import { endLines, untilSaid } from './shell.js';

const service = '0x1000000000000000000000000000000000000003';
const ether = 10n ** 18n;
/** Anvil's third account, whose key everyone knows. */
const carolKey = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const carol = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
type Triple = [number, number, number];

let bridge: Example;
let start: string;
beforeAll(() => {
  bridge = copyExample('bridge');
});
afterAll(endLines);

const sentByBob = async () => Number(await l1.call('eth_getTransactionCount', bob, 'latest'));
const heldByBob = async () => BigInt(await l1.call('eth_getBalance', bob, 'latest'));
const toWord = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
/** Sends Bob an ether on L1, by a message from L2. */
async function sendFrom(from: string): Promise<void> {
  const abi = parseAbi(['function sendMessage(address to, uint256 fee, bytes data) payable']);
  const data = encodeFunctionData({ abi, functionName: 'sendMessage', args: [bob, 0n, '0x'] });
  const message = { from, to: service, value: `0x${ether.toString(16)}`, data };
  await l2.call('eth_sendTransaction', message);
}
/** Makes what L1 has final. */
const finalizeL1 = () => l1.call('anvil_mine', '0x3');

/** What Bob paid for gas on L1. */
async function paidFor(hash: string): Promise<bigint> {
  const receipt = await l1.call('eth_getTransactionReceipt', hash);
  expect(receipt).toMatchObject({ status: '0x1', from: bob });
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
}

test('it claims the message of the devnet, is killed, and goes on', async () => {
  const [install, run] = bridge.lines('npm install') as [string, string];
  start = run;
  const [check] = bridge.lines('npm run check') as [string];
  for (const line of [install, check]) expect(await bridge.run(line)).toMatchObject({ code: 0 });
  const [before, count] = [await heldByBob(), await sentByBob()];
  const first = bridge.start(start);
  const [, claim = ''] = await untilSaid(first, /claim sent as (0x\w+)\n/);
  first.signal('SIGKILL');
  await first.ended;
  await until(async () => (await sentByBob()) === count + 1, 'the claim is in a block');
  expect((await heldByBob()) - before).toBe(ether - (await paidFor(claim)));

  const second = bridge.start(start);
  await finalizeL1();
  await untilSaid(second, / claimed\n/);
  second.signal('SIGINT');
  await second.ended;
  const lines = `${first.said.text}${second.said.text}`.split('\n');
  const said = lines.filter((line) => line.startsWith('0x')).join('\n');
  expect(said).toMatch(like(bridge.shows.trim()));
  expect(await sentByBob()).toBe(count + 1);
  expect(JSON.parse(bridge.read('relay.json'))).toMatchObject({ messages: {} });
  expect(bridge.unused()).toEqual([]);
});

test('a message that a node makes up is not claimed', async () => {
  const count = await sentByBob();
  // As the one that was sent, with a thousand times its value, and the hash of that.
  const liar = await startLiar(shared.l2, (answer, asked) => {
    if (asked?.method !== 'eth_getLogs') return answer;
    for (const log of answer.result) {
      const words = log.data.slice(2).match(/.{64}/g) as string[];
      words[1] = (1000n * ether).toString(16).padStart(64, '0');
      log.data = `0x${words.join('')}`;
      const types = ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes'];
      const parts = [alice, bob, 0n, 1000n * ether, BigInt(`0x${words[2]}`), '0x'];
      log.topics[3] = keccak256(
        encodeAbiParameters(
          types.map((type) => ({ type })),
          parts,
        ),
      );
    }
    return answer;
  });
  bridge.edit('.env', (text) =>
    text.replace(shared.l2, liar.url).replace('relay.json', 'lies.json'),
  );
  const running = bridge.start(start);
  // Two rounds: L1 has no root of such a message, and this node answers no proofs that could show whether it is false.
  await untilSaid(running, /^0x\w+ seen [^]*^0x\w+: [^]*^0x\w+: /m);
  running.signal('SIGINT');
  await running.ended;
  bridge.edit('.env', (text) =>
    text.replace(liar.url, shared.l2).replace('lies.json', 'relay.json'),
  );
  await liar.close();
  expect(running.said.text).not.toContain('claim sent');
  expect(await sentByBob()).toBe(count);
});

test('a message of somebody else is not claimed, whoever its event says has sent it', async () => {
  const count = await sentByBob();
  await sendFrom(carol);
  const filter = { address: service, fromBlock: '0x0', toBlock: 'latest' };
  let own: Wire;
  await until(async () => {
    const logs: Wire[] = await l2.call('eth_getLogs', filter);
    own = logs.find(({ topics }) => topics[1] === toWord(carol));
    return own !== undefined;
  }, 'the message is in a block');
  const liar = await startLiar(shared.l2, (answer, asked) => {
    const [{ fromBlock, toBlock, topics }] = asked?.params ?? [{}];
    // The question by sender, for the block of the message. What is asked to prove it is answered truly.
    if (asked?.method !== 'eth_getLogs' || !topics?.[1]) return answer;
    const [from, block, to] = [fromBlock, own.blockNumber, toBlock].map(Number) as Triple;
    if (block < from || block > to) return answer;
    const [event, , ...others] = own.topics;
    const ofAlice = { ...own, topics: [event, toWord(alice), ...others] };
    const ofNothing = { ...own, topics: [event, toWord(alice)] };
    return { ...answer, result: [ofNothing, ofAlice] };
  });
  const running = bridge.start(start, { L2_URL: liar.url, STATE: 'carol.json' });
  await untilSaid(running, new RegExp(`^${own.topics[3]} is left: ${carol} has sent it`, 'm'));
  running.signal('SIGINT');
  await running.ended;
  await liar.close();
  expect(running.said.text).toContain(`${own.topics[3]} seen in L2 block`);
  expect(running.said.text).not.toMatch(/claim sent|undefined/);
  expect(JSON.parse(bridge.read('carol.json'))).toMatchObject({ messages: {} });
  expect(await sentByBob()).toBe(count);
});

test('without the first block it does not begin', async () => {
  const { code, text } = await bridge.run(start, { FROM_BLOCK: '' });
  expect([code, text]).toEqual([1, expect.stringContaining('FROM_BLOCK: expected a block number')]);
});

test('while L1 asks for more than the highest fee, nothing is signed', async () => {
  await sendFrom(alice);
  const running = bridge.start(start, { MAX_FEE: '0.000000001', STATE: 'dear.json' });
  await untilSaid(running, /^0x\w+: a fee of [\d.]+ gwei per gas is more than MAX_FEE$/m);
  running.signal('SIGINT');
  await running.ended;
  expect(bridge.read('dear.json')).not.toContain('raw');
});

test('a message whose claims fail three times is claimed no more', async () => {
  // L1 takes none, and says that each has failed.
  let rounds = 0;
  const lie: Lie = (answer, asked) => {
    if (asked?.method === 'eth_getProof') rounds++;
    if (asked?.method !== 'eth_getTransactionReceipt') return answer;
    const [transactionHash] = asked.params;
    return { ...answer, result: { transactionHash, status: '0x0', logs: [] } };
  };
  const deaf = await startLiar(shared.l1, lie, 'eth_sendRawTransaction');
  const noted = JSON.parse(bridge.read('dear.json'));
  const [[hash = '', entry]] = Object.entries(noted.messages) as [[string, Wire]];
  expect(entry).toMatchObject({ tries: 0 });
  noted.messages = { [hash]: { ...entry, tries: 1 } };
  writeFileSync(join(bridge.folder, 'failing.json'), JSON.stringify(noted));
  // The environment counts, not what stands in `.env`.
  const env = { L1_URL: deaf.url, STATE: 'failing.json', PRIVATE_KEY: carolKey };
  const running = bridge.start(start, env);
  const entryNow = (): Wire => JSON.parse(bridge.read('failing.json')).messages[hash];
  await until(() => entryNow().claim !== undefined, 'it is signed');
  const { raw } = entryNow().claim;
  expect((await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase()).toBe(
    carol,
  );
  await untilSaid(running, new RegExp(`^${hash}: 3 claims failed`, 'm'));
  const then = rounds;
  await until(() => rounds >= then + 2, 'it looks again');
  running.signal('SIGINT');
  await running.ended;
  await deaf.close();
  expect(entryNow()).toEqual({ block: entry.block, tries: 3 });
  expect(running.said.text.match(/3 claims failed/g)).toHaveLength(1);
});

test('killed between the signature and the sending, it sends the same transaction later', async () => {
  const count = await sentByBob();
  // L1 takes no transaction, and before one is signed it says that it is another chain: the signature is for this one.
  let isBeforeSigning = false;
  const lie: Lie = (answer, asked) => {
    isBeforeSigning ||= asked?.method === 'eth_estimateGas';
    const isLie = isBeforeSigning && asked?.method === 'eth_chainId';
    return isLie ? { ...answer, result: '0x1' } : answer;
  };
  const deaf = await startLiar(shared.l1, lie, 'eth_sendRawTransaction');
  bridge.edit('.env', (text) => text.replace(shared.l1, deaf.url));
  const first = bridge.start(start);
  await untilSaid(first, /^0x\w+: .+$/m);
  first.signal('SIGKILL');
  await first.ended;
  expect(await sentByBob()).toBe(count);
  await deaf.close();
  bridge.edit('.env', (text) => text.replace(deaf.url, shared.l1));
  const { messages } = JSON.parse(bridge.read('relay.json'));
  const [{ claim }] = Object.values(messages) as [{ claim: { hash: Hex; raw: Hex } }];
  expect(parseTransaction(claim.raw).chainId).toBe(1337);

  const second = bridge.start(start);
  await until(async () => (await sentByBob()) === count + 1, 'the claim is in a block');
  await paidFor(claim.hash);
  await finalizeL1();
  await untilSaid(second, / claimed\n/);
  second.signal('SIGINT');
  await second.ended;
  expect(await sentByBob()).toBe(count + 1);
});
