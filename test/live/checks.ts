/** What recorded answers cannot show: that today's servers and chains are as this package takes them to be. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { fetchAnchor, fetchState } from '../../src/anchor/index.js';
import { createLightClient } from '../../src/beacon/index.js';
import { createHistory } from '../../src/history/index.js';
import { type Hex, slotKey } from '../../src/index.js';
import { createMessages } from '../../src/messages/index.js';
import { createProvider } from '../../src/provider/index.js';
import type { Transport } from '../../src/rpc/index.js';
import { agreedCheckpoint } from './checkpoints.js';
import type { Endpoints } from './endpoints.js';
import { CheckFailure, Unreachable } from './outcome.js';

export interface Check {
  readonly name: string;
  /** @returns what it found, with its figures */
  run(endpoints: Endpoints, signal: AbortSignal): Promise<string>;
}

const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`;
const short = (hash: string): string => `${hash.slice(0, 10)}...`;
const hashOfText = (text: string): Hex =>
  `0x${Buffer.from(keccak_256(new TextEncoder().encode(text))).toString('hex')}`;

/** Nobody has its key, and nobody has sent it anything. */
const nobody = hashOfText('l2proof: nobody has this account').slice(0, 42) as Hex;

function hold(what: string, ours: unknown, theirs: unknown): void {
  if (ours !== theirs)
    throw new CheckFailure(`${what}: proven ${ours}, but the node says ${theirs}`);
}

/** What the node says of an account, which it need not prove. */
async function askAccount(node: Transport, address: Hex, block: number, signal: AbortSignal) {
  const at = [address, toHex(block)];
  const ask = async (method: string) => BigInt((await node.call(method, at, { signal })) as Hex);
  const [balance, nonce] = await Promise.all([
    ask('eth_getBalance'),
    ask('eth_getTransactionCount'),
  ]);
  return { balance, nonce };
}

const findRoot: Check = {
  name: 'root',
  async run({ network, l1 }, signal) {
    if (l1.length < 3) throw new CheckFailure('LIVE_L1 names fewer than three endpoints');
    const { how, l2BlockNumber, stateRoot } = await fetchAnchor({ l1, network, signal });
    if (how !== 'quorum') throw new CheckFailure(`the root is there by ${how}`);
    return `${l1.length} endpoints of L1 agree on L2 block ${l2BlockNumber}, ${short(stateRoot)}`;
  },
};

const findSepoliaRoot: Check = {
  name: 'sepolia',
  async run({ sepolia: { network, l1 } }, signal) {
    const { l2BlockNumber, stateRoot } = await fetchAnchor({ l1, network, signal });
    return `L2 block ${l2BlockNumber} of the test network, ${short(stateRoot)}`;
  },
};

const proveRoot: Check = {
  name: 'l1 proof',
  async run({ network, l1 }, signal) {
    const [first] = l1 as [Transport];
    const header = (await first.call('eth_getBlockByNumber', ['finalized', false], { signal })) as {
      hash: Hex;
      number: Hex;
    };
    const hashes = await Promise.all(
      l1.map(async (each) => {
        const block = await each.call('eth_getBlockByNumber', [header.number, false], { signal });
        return (block as { hash: Hex } | null)?.hash;
      }),
    );
    if (hashes.some((hash) => hash !== header.hash)) {
      throw new CheckFailure(`endpoints of L1 disagree on block ${Number(header.number)}`);
    }
    const trusted = { blockHash: header.hash };
    const proven = await fetchAnchor({ l1, network, trusted, signal });
    if (proven.how !== 'proof') throw new CheckFailure(`the root is there by ${proven.how}`);
    const said = await fetchAnchor({
      ...{ l1: first, network, signal, l1Block: Number(header.number) },
      l2BlockNumber: proven.l2BlockNumber,
    });
    hold(`root of L2 block ${proven.l2BlockNumber}`, proven.stateRoot, said.stateRoot);
    return `eth_getProof of L1 block ${Number(header.number)} proves L2 block ${proven.l2BlockNumber}`;
  },
};

const provePresent: Check = {
  name: 'present',
  async run({ network, l1, l2, node }, signal) {
    const address = network.messageService as Hex;
    const { anchor, state } = await fetchState({ address, l1, l2, network, signal });
    const { account } = state;
    if (!account) throw new CheckFailure('the contract that sends messages is proven absent');
    const said = await askAccount(node, address, anchor.l2BlockNumber, signal);
    hold('balance', account.balance, said.balance);
    hold('nonce', account.nonce, said.nonce);
    return `${account.balance} wei in L2 block ${anchor.l2BlockNumber}, as the node says`;
  },
};

const proveAbsent: Check = {
  name: 'absent',
  async run({ network, l1, l2, node }, signal) {
    const { anchor, state } = await fetchState({ address: nobody, l1, l2, network, signal });
    if (state.account) throw new CheckFailure(`${nobody} is proven to exist`);
    const said = await askAccount(node, nobody, anchor.l2BlockNumber, signal);
    hold('balance', 0n, said.balance);
    return `${short(nobody)} is proven absent in L2 block ${anchor.l2BlockNumber}`;
  },
};

const proveSlots: Check = {
  name: 'slots',
  async run({ network, l1, l2, node, token }, signal) {
    const storageKeys = [...Array.from({ length: 8 }, (_, i) => slotKey(i)), hashOfText('no slot')];
    const { anchor, state } = await fetchState({
      ...{ address: token, storageKeys, l1, l2, network, signal },
    });
    const block = toHex(anchor.l2BlockNumber);
    for (const { key, value } of state.storage) {
      const said = await node.call('eth_getStorageAt', [token, key, block], { signal });
      hold(`slot ${key}`, BigInt(value), BigInt(said as Hex));
    }
    const held = state.storage.filter(({ exists }) => exists).length;
    if (held === 0) throw new CheckFailure('no slot of LIVE_TOKEN has a value');
    return `${held} of ${storageKeys.length} slots have a value, as the node says`;
  },
};

const followConsensus: Check = {
  name: 'consensus',
  async run({ network, l1, beacon, checkpoints }, signal) {
    const { root, slot, providers } = await agreedCheckpoint(checkpoints, signal);
    const trusted = createLightClient({ ...beacon, checkpoint: root, signal });
    const { how, l1: block, l2BlockNumber } = await fetchAnchor({ l1, network, trusted, signal });
    if (how !== 'consensus') throw new CheckFailure(`the root is there by ${how}`);
    return `${providers} providers name slot ${slot}; its validators prove L1 block ${block.blockNumber}, and it L2 block ${l2BlockNumber}`;
  },
};

const readHistory: Check = {
  name: 'history',
  async run({ network, l1, l2, node }, signal) {
    const history = createHistory({ l1, l2, network });
    const { number, hash } = await history.header('latest', { signal });
    const said = (await node.call('eth_getBlockByNumber', [number, false], { signal })) as {
      hash: Hex;
    };
    hold(`hash of L2 block ${Number(number)}`, hash, said.hash);
    for (let block = Number(number); block > Math.max(0, Number(number) - 50); block--) {
      const [transaction] = (await history.block(block, { signal })).transactions;
      if (transaction === undefined) continue;
      const { gasUsed, from } = await history.receipt(transaction as Hex, { signal });
      return `header ${Number(number)}; ${short(transaction as Hex)} of ${short(from)} used ${Number(gasUsed)} gas`;
    }
    throw new Unreachable('the last 50 blocks have no transaction');
  },
};

const messageSent = hashOfText(
  'MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)',
);

const proveMessage: Check = {
  name: 'message',
  async run({ network, l1, l2, node }, signal) {
    const { l2BlockNumber } = await fetchAnchor({ l1, network, signal });
    // Public nodes answer the logs of some thousand blocks at once.
    const step = 2000;
    for (let to = l2BlockNumber; to >= 0 && to > l2BlockNumber - 10 * step; to -= step) {
      const filter = {
        address: network.messageService,
        topics: [messageSent],
        fromBlock: toHex(Math.max(0, to - step + 1)),
        toBlock: toHex(to),
      };
      const logs = (await node.call('eth_getLogs', [filter], { signal })) as { topics: Hex[] }[];
      const hash = logs.at(-1)?.topics[3];
      if (hash === undefined) continue;
      const messages = createMessages({ l1, l2, network });
      const { status, depth, l2BlockNumber: block } = await messages.prove(hash, { signal });
      return `${short(hash)} of L2 block ${block} is ${status}, in a tree of height ${depth}`;
    }
    throw new Unreachable(`no message in ${10 * step} blocks`);
  },
};

const runCall: Check = {
  name: 'call',
  async run({ network, l1, l2, node, token }, signal) {
    const provider = createProvider({ l1, l2, network });
    try {
      const block = toHex((await provider.anchor()).l2BlockNumber);
      const data = hashOfText('totalSupply()').slice(0, 10);
      const params = [{ to: token, data }, block];
      const ours = (await provider.request({ method: 'eth_call', params })) as Hex;
      hold('totalSupply()', ours, await node.call('eth_call', params, { signal }));
      return `totalSupply() is ${BigInt(ours)} in L2 block ${Number(block)}, as the node says`;
    } finally {
      provider.close();
    }
  },
};

export const checks: readonly Check[] = [
  findRoot,
  findSepoliaRoot,
  proveRoot,
  provePresent,
  proveAbsent,
  proveSlots,
  followConsensus,
  readHistory,
  proveMessage,
  runCall,
];
