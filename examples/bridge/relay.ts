/** Claims on L1 what a sender on L2 has sent there. It can be killed at any time: each message is claimed once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchAnchor } from 'l2proof/anchor';
import { createMessages } from 'l2proof/messages';
import { createTransport } from 'l2proof/rpc';
import {
  type Address,
  createPublicClient,
  formatGwei,
  type Hex,
  http,
  keccak256,
  parseAbiItem,
  parseGwei,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { network } from './network';
import { type Entry, openState } from './state';

const { L1_URL = '', L2_URL = '', SENDER = '', FROM_BLOCK = '', MAX_FEE = '' } = process.env;
const { PRIVATE_KEY, STATE = '' } = process.env;

// Without it nothing would be watched.
if (!/^\d+$/.test(FROM_BLOCK)) throw new Error('FROM_BLOCK: expected a block number');
const { state, save } = openState(STATE, Number(FROM_BLOCK));
/** So many claims of a message may fail. */
const maxTries = 3;
/** What a unit of gas may cost, in wei. */
const maxFee = parseGwei(MAX_FEE);
const account = privateKeyToAccount(PRIVATE_KEY as Hex);
const l1 = createPublicClient({ transport: http(L1_URL) });
const l2 = createPublicClient({ transport: http(L2_URL) });
const rollup = { l1: createTransport({ url: L1_URL }), network };
const messages = createMessages({ ...rollup, l2: createTransport({ url: L2_URL }) });

const messageSent = parseAbiItem(
  'event MessageSent(address indexed from, address indexed to, uint256 fee, uint256 value, uint256 nonce, bytes data, bytes32 indexed messageHash)',
);

/** Notes the messages of blocks that L1 has finalized. An event is the node's word: it only says what to ask about. */
async function watch(): Promise<void> {
  const { l2BlockNumber } = await fetchAnchor(rollup);
  while (state.nextBlock <= l2BlockNumber) {
    const toBlock = Math.min(state.nextBlock + 999, l2BlockNumber);
    const logs = await l2.getLogs({
      address: network.messageService as Address,
      event: messageSent,
      args: { from: SENDER as Address },
      fromBlock: BigInt(state.nextBlock),
      toBlock: BigInt(toBlock),
      strict: true,
    });
    for (const { args, blockNumber } of logs) {
      state.messages[args.messageHash] ??= { block: Number(blockNumber), tries: 0 };
      console.log(`${args.messageHash} seen in L2 block ${blockNumber}`);
    }
    state.nextBlock = toBlock + 1;
    save();
  }
}

/** Signs the claim and keeps it, and only then sends it. */
async function claim(hash: Hex, { block, tries }: Entry): Promise<void> {
  const { message, calldata } = await messages.prove(hash, { fromBlock: block, toBlock: block });
  // The node may have put SENDER into the event of somebody else's message. The hash that is proven binds its sender.
  if (message.from !== SENDER.toLowerCase()) {
    delete state.messages[hash];
    save();
    console.error(`${hash} is left: ${message.from} has sent it, not SENDER`);
    return;
  }
  // Gas is estimated here, so this fails if somebody has claimed it in a block of L1 that is not final yet.
  const call = {
    to: network.rollup,
    data: calldata,
    chainId: network.l1ChainId,
    type: 'eip1559',
  } as const;
  const request = await l1.prepareTransactionRequest({ ...call, account, chain: null });
  // The endpoint chooses these four, and nothing else of what is signed. A wallet of viem would sign for the chain that it names.
  const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = request;
  if (maxFeePerGas > maxFee) {
    throw new Error(`a fee of ${formatGwei(maxFeePerGas)} gwei per gas is more than MAX_FEE`);
  }
  const fees = { gas, maxFeePerGas, maxPriorityFeePerGas };
  const raw = await account.signTransaction({ ...call, nonce, ...fees });
  state.messages[hash] = { block, tries, claim: { raw, hash: keccak256(raw), nonce } };
  save();
  await l1.sendRawTransaction({ serializedTransaction: raw });
  console.log(`${hash} claim sent as ${keccak256(raw)}`);
}

/** Looks after a claim that was signed, maybe before a restart. */
async function follow(hash: Hex, { block, tries, claim }: Required<Entry>): Promise<void> {
  const receipt = await l1.getTransactionReceipt(claim).catch(() => undefined);
  // Its status is `claimed` once this block of L1 is final.
  if (receipt?.status === 'success') return;
  const nonce = await l1.getTransactionCount(account);
  if (receipt || nonce > claim.nonce) {
    // It failed, or another transaction took its place: begin anew, from what is proven then.
    state.messages[hash] = { block, tries: tries + 1 };
    save();
    if (tries + 1 === maxTries) console.error(`${hash}: ${maxTries} claims failed: look at it`);
  } else {
    // The same bytes: a node that has them already refuses them, which is fine.
    await l1.sendRawTransaction({ serializedTransaction: claim.raw }).catch(() => {});
  }
}

/** One step for one message, by what is proven about it now. */
async function advance(hash: Hex, entry: Entry): Promise<void> {
  const { block } = entry;
  // One `eth_getProof` of L1: the root of the tree that has the message, and the bit that says whether it was claimed.
  const { status } = await messages.status(hash, { fromBlock: block, toBlock: block });
  if (status === 'claimable') {
    if (entry.claim) await follow(hash, entry as Required<Entry>);
    else if (entry.tries < maxTries) await claim(hash, entry);
  } else if (status === 'claimed') {
    delete state.messages[hash];
    save();
    console.log(`${hash} claimed`);
  }
}

/** What does not hold, or nobody answers, is said and asked again later. Nothing is sent for it. */
const report = (what: string) => (error: Error & { shortMessage?: string }) =>
  console.error(`${what}: ${error.shortMessage ?? error.message}`);

for (;;) {
  await watch().catch(report('watching failed'));
  for (const [hash, entry] of Object.entries(state.messages)) {
    await advance(hash as Hex, entry).catch(report(hash));
  }
  await sleep(2000);
}
