// Builds trees of one size and reports what they cost. Times are of the processor, in microseconds.
// usage: node --expose-gc treeChild.mjs LEAVES

import { createVerifier } from 'l2proof';
import { poseidon2 } from 'l2proof/hash';
import { createAccumulator, openStateTree } from 'l2proof/tree';

const leaves = Number(process.argv[2]);
/** Accounts that a block creates while the state is loaded, and that it changes or creates afterwards. */
const loadedPerBlock = 10_000;
const perBlock = Math.min(1000, leaves / 2);
const blockCount = 20;
const proofCount = 2000;

const hex = (value, width) => `0x${value.toString(16).padStart(2 * width, '0')}`;
const toHex = (bytes) => `0x${Buffer.from(bytes).toString('hex')}`;
const bytesOf = (value) =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));

/** Memory that is in use: objects and the bytes beside them. */
function held() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function spent() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function timeOf(work) {
  const start = spent();
  const result = await work();
  return { result, time: spent() - start };
}

const spread = (times) => {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.round(share * (times.length - 1))];
  return { median: at(0.5), low: at(0.25), high: at(0.75), p99: at(0.99) };
};

/** Wall clock of each call: a single one is too short for the processor's clock. */
async function timesOf(count, work) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await work(i);
    times.push(1000 * (performance.now() - start));
  }
  return spread(times.slice(count / 10));
}

/** Numbers spread over all leaves, the same in every run. */
const pick = (i) => (i * 7919) % leaves;

async function accumulator() {
  const keys = Array.from({ length: leaves }, (_, i) => toHex(poseidon2(bytesOf(i + 1))));
  const before = held();
  const tree = createAccumulator({ hash: 'poseidon2' });
  const { time } = await timeOf(() => {
    for (const [i, key] of keys.entries()) {
      tree.insert(key, keys[0]);
      if (i % loadedPerBlock === 0) tree.root;
    }
    return tree.root;
  });
  const bytesPerLeaf = (held() - before) / leaves;
  const proof = await timesOf(proofCount, (i) => tree.prove(keys[pick(i)]));
  return { insert: time / leaves, bytesPerLeaf, proof };
}

async function state(report) {
  const before = held();
  // One final block is kept: what is measured is the state, not its history.
  const tree = await openStateTree({ keepFinal: 1 });
  const plain = (i, nonce) => ({
    address: hex(i + 1, 20),
    account: { nonce: BigInt(nonce), balance: BigInt(i) },
  });
  let number = 0;
  const apply = (changes) => tree.applyBlock({ number: ++number, changes });
  const { time: load } = await timeOf(async () => {
    for (let from = 0; from < leaves; from += loadedPerBlock) {
      const count = Math.min(loadedPerBlock, leaves - from);
      await apply(Array.from({ length: count }, (_, i) => plain(from + i, 1)));
      await tree.finalize(number);
      report(from + count);
    }
  });
  const bytesPerLeaf = (held() - before) / leaves;

  // Half of a block's accounts are there already.
  const blocks = [];
  for (let block = 0; block < blockCount; block++) {
    const changes = Array.from({ length: perBlock }, (_, i) =>
      i % 2 === 0
        ? plain(pick(block * perBlock + i / 2), block + 2)
        : plain(leaves + block * perBlock + i, 1),
    );
    // An account may be picked twice in a small state.
    const unique = [...new Map(changes.map((change) => [change.address, change])).values()];
    blocks.push((await timeOf(() => apply(unique))).time / unique.length);
  }
  const addressOf = (i) => hex(pick(i) + 1, 20);
  const proof = await timesOf(proofCount, (i) => tree.getProof(addressOf(i)));
  const older = await timesOf(proofCount, (i) =>
    tree.getProof(addressOf(i + proofCount), [], number - blockCount),
  );
  const absent = await timesOf(proofCount, (i) => tree.getProof(hex(2n ** 100n + BigInt(i), 20)));
  // What the same answers cost to verify, beside it: the yardstick of the proofs.
  const stateRoot = await tree.stateRoot();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => tree.getProof(addressOf(i))),
  );
  const verifier = createVerifier({ stateRoot, maxNodes: 0 });
  const verify = await timesOf(proofCount, (i) =>
    verifier.verify(answers[i % 200], { address: addressOf(i % 200) }),
  );
  return { load: load / leaves, bytesPerLeaf, block: spread(blocks), proof, older, absent, verify };
}

/** What hashing one inner node costs here, to hold the rest against. */
async function hashTime() {
  const node = new Uint8Array(64).fill(1);
  const count = 20_000;
  for (let i = 0; i < count; i++) poseidon2(node);
  const { time } = await timeOf(() => {
    for (let i = 0; i < count; i++) poseidon2(node);
  });
  return time / count;
}

const report = (done) => process.stderr.write(`${done}\n`);
console.log(
  JSON.stringify({
    leaves,
    hash: await hashTime(),
    accumulator: await accumulator(),
    state: await state(report),
  }),
);
