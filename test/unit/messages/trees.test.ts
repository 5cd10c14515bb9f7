/** Trees of messages and their proofs, beside the contract that judges them on L1: its algorithm, compiled, in an EVM. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import {
  type Message,
  type MessageClaim,
  MessageError,
  messageHash,
  messageTrees,
  verifyMessageProof,
} from '../../../src/messages/index.js';
import { type Evm, openMessagesContract } from '../../support/contracts/messages.js';
import { type Random, randomOf } from '../../support/trie.js';

let contract: Evm;
beforeAll(async () => {
  contract = await openMessagesContract();
});

function randomHex(random: Random, width: number): Hex {
  const digits = Array.from({ length: width }, () => random(256).toString(16).padStart(2, '0'));
  return `0x${digits.join('')}`;
}

const randomMessage = (random: Random): Message => ({
  from: randomHex(random, 20),
  to: randomHex(random, 20),
  fee: BigInt(random(2)) * BigInt(randomHex(random, 32)),
  value: BigInt(randomHex(random, 1 + random(32))),
  messageNumber: BigInt(random(1_000_000)),
  data: randomHex(random, random(100)),
});

const onChain = ({ proof, leafIndex, root, depth, message }: MessageClaim) =>
  contract.read('verify', messageHash(message), proof, leafIndex, root, depth);

test('a message has the hash that Solidity gives it', async () => {
  const random = randomOf(1);
  for (let i = 0; i < 100; i++) {
    const message = randomMessage(random);
    const { from, to, fee, value, messageNumber, data } = message;
    const hash = await contract.read('hashOf', from, to, fee, value, messageNumber, data);
    expect(messageHash(message)).toBe(hash);
  }
});

describe('random trees', () => {
  const trees = Number(process.env.TREES ?? 160);
  test(`${trees} of depth 1 to 8: the contract has the same roots, and accepts the proofs`, async () => {
    const random = randomOf(Number(process.env.SEED ?? 2));
    for (let run = 0; run < trees; run++) {
      const depth = 1 + (run % 8);
      const width = 2 ** depth;
      // One message, a full tree, one more than a full tree, an odd count, any.
      const counts = [1, width, width + 1, 2 * random(width) + 1, 1 + random(2 * width)];
      const count = counts[random(counts.length)] as number;
      const message = randomMessage(random);
      const place = random(count);
      const hashes = Array.from({ length: count }, () => randomHex(random, 32));
      hashes[place] = messageHash(message);
      const all = messageTrees(hashes, depth);
      expect(all.map(({ root }) => root)).toEqual(
        await contract.read('rootsOf', hashes, BigInt(depth)),
      );
      expect(all.flatMap(({ leaves }) => leaves)).toEqual(hashes);
      const { root, prove } = all[Math.floor(place / width)] as (typeof all)[number];
      const leafIndex = place % width;
      const claim = { proof: prove(leafIndex), leafIndex, root, depth, message };
      expect(await onChain(claim)).toBe(true);
      expect(verifyMessageProof(claim)).toBe(hashes[place]);
    }
  });
});

function splice(proof: readonly Hex[], at: number, deleted: number, ...added: Hex[]): Hex[] {
  const copy = [...proof];
  copy.splice(at, deleted, ...added);
  return copy;
}

/** Changes that make a claim false. */
const edits: Record<string, (claim: Claim, random: Random) => Claim> = {
  'a bit of a sibling': (claim, random) => {
    const at = random(claim.proof.length);
    return { ...claim, proof: splice(claim.proof, at, 1, flip(claim.proof[at] as Hex, random)) };
  },
  'two siblings swapped': (claim, random) => {
    const [a, b] = [random(claim.proof.length), random(claim.proof.length)];
    const [one, other] = [claim.proof[a] as Hex, claim.proof[b] as Hex];
    return { ...claim, proof: splice(splice(claim.proof, a, 1, other), b, 1, one) };
  },
  'a shorter proof': (claim, random) => ({
    ...claim,
    proof: splice(claim.proof, random(claim.proof.length), 1),
  }),
  'a shorter proof and tree': (claim) => ({
    ...claim,
    proof: claim.proof.slice(1),
    depth: Math.max(1, claim.depth - 1),
    leafIndex: claim.leafIndex >> 1,
  }),
  'a longer proof': (claim, random) => ({
    ...claim,
    proof: splice(claim.proof, random(claim.depth + 1), 0, randomHex(random, 32)),
  }),
  'another leaf index': (claim, random) => ({
    ...claim,
    leafIndex: claim.leafIndex ^ (1 << random(claim.depth)),
  }),
  'a leaf index beyond the tree': (claim, random) => ({
    ...claim,
    leafIndex: claim.leafIndex + 2 ** (claim.depth + random(20)),
  }),
  'another depth': (claim, random) => ({ ...claim, depth: ((claim.depth + random(31)) % 32) + 1 }),
  'a bit of the root': (claim, random) => ({ ...claim, root: flip(claim.root, random) }),
  'a bit of the message': (claim, random) => {
    const { message } = claim;
    const name = (['from', 'to', 'fee', 'value', 'messageNumber', 'data'] as const)[random(6)];
    if (name === undefined) throw new Error('no member');
    const value = message[name];
    if (typeof value === 'bigint') {
      return { ...claim, message: { ...message, [name]: value ^ (1n << BigInt(random(256))) } };
    }
    const longer: Hex = `${value as Hex}00`;
    const data = name === 'data' && random(2) === 0 ? longer : flip(value as Hex, random);
    return { ...claim, message: { ...message, [name]: data } };
  },
};

type Claim = MessageClaim & { readonly proof: readonly Hex[]; readonly leafIndex: number };

/** Another hex of the same width; one byte more of the empty one. */
function flip(hex: Hex, random: Random): Hex {
  if (hex === '0x') return '0x00';
  const at = 2 + random(hex.length - 2);
  const digit = Number.parseInt(hex.charAt(at), 16) ^ (1 << random(4));
  return `0x${hex.slice(2, at)}${digit.toString(16)}${hex.slice(at + 1)}`;
}

/** A claim that holds. */
function trueClaim(random: Random): Claim {
  const depth = 1 + random(8);
  const message = randomMessage(random);
  const hashes = Array.from({ length: 1 + random(2 ** depth) }, () => randomHex(random, 32));
  const leafIndex = random(hashes.length);
  hashes[leafIndex] = messageHash(message);
  const [{ root, prove }] = messageTrees(hashes, depth) as [ReturnType<typeof messageTrees>[0]];
  return { proof: prove(leafIndex), leafIndex, root, depth, message };
}

test('no edit of a proof passes', async () => {
  const random = randomOf(Number(process.env.SEED ?? 3));
  const names = Object.keys(edits);
  const count = Number(process.env.EDITS ?? 2000);
  const kinds = new Map<string, number>();
  for (let run = 0; run < count; run++) {
    const claim = trueClaim(random);
    const name = names[run % names.length] as string;
    const edited = edits[name]?.(claim, random) as Claim;
    if (JSON.stringify(edited, shown) === JSON.stringify(claim, shown)) continue;
    const code = codeOfRefusal(() => verifyMessageProof(edited));
    kinds.set(`${name}: ${code}`, 1 + (kinds.get(`${name}: ${code}`) ?? 0));
    expect(code, name).toMatch(/^(BAD_PROOF|BAD_ANSWER)$/);
    if (run % 20 === 0) expect(await onChain(edited), name).toBe(false);
  }
  for (const name of names) expect([...kinds.keys()].join()).toContain(name);
});

/** The code of the refusal; undefined if it passes. */
function codeOfRefusal(verify: () => unknown): string | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof MessageError) return error.code;
    throw error;
  }
}

const shown = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

test('neither an inner node nor a leaf of zeros passes for a message', async () => {
  const random = randomOf(4);
  const hashes = Array.from({ length: 3 }, () => randomHex(random, 32));
  const [tree] = messageTrees(hashes, 2) as [ReturnType<typeof messageTrees>[0]];
  const [, inner] = tree.prove(0) as [Hex, Hex];
  // To hash and path alone both are leaves; but no message has such a hash.
  const zero = `0x${'00'.repeat(32)}`;
  expect(await contract.read('verify', inner, tree.prove(2).slice(1), 1, tree.root, 1n)).toBe(true);
  const [leaf, ...rest] = tree.prove(2);
  expect(leaf).toBe(zero);
  expect(await contract.read('verify', zero, [hashes[2], ...rest], 3, tree.root, 2n)).toBe(true);
  for (const message of [inner, zero]) {
    const claim = { proof: rest, leafIndex: 1, root: tree.root, depth: 1, message } as never;
    expect(() => verifyMessageProof(claim)).toThrow(TypeError);
  }
  expect(() => tree.prove(3)).toThrow(RangeError);
});

test('a wrong claim is the caller’s mistake, a malformed proof is not', () => {
  const claim = trueClaim(randomOf(5));
  const change = (more: object) => () => verifyMessageProof({ ...claim, ...more });
  for (const more of [
    { depth: 0 },
    { depth: 33 },
    { depth: 1.5 },
    { root: '0x12' },
    { message: { ...claim.message, fee: -1n } },
    { message: { ...claim.message, value: 1n << 256n } },
    { message: { ...claim.message, data: '0x123' } },
  ]) {
    expect(change(more), JSON.stringify(Object.keys(more))).toThrow(RangeError);
  }
  for (const more of [
    { depth: '5' },
    { root: 5 },
    { message: null },
    { message: { ...claim.message, fee: 1 } },
    { message: { ...claim.message, nonce: 1n } },
    { unknown: 1 },
  ]) {
    expect(change(more), JSON.stringify(Object.keys(more))).toThrow(TypeError);
  }
  const long = Array.from({ length: claim.depth }, () => '0x12');
  for (const more of [{ proof: null }, { proof: long }, { leafIndex: -1 }, { leafIndex: '0x0' }]) {
    expect(change(more)).toThrow(MessageError);
    expect(codeOfRefusal(change(more))).toBe('BAD_ANSWER');
  }
  const hash = messageHash(claim.message);
  expect(messageTrees([], 5)).toEqual([]);
  expect(() => messageTrees([hash, `0x${'00'.repeat(32)}`], 5)).toThrow(RangeError);
  expect(() => messageTrees([hash], 0)).toThrow(RangeError);
  expect(() => messageTrees(hash as never, 5)).toThrow(TypeError);
});

test('a tree may be as high as a proof can say', () => {
  const claim = trueClaim(randomOf(6));
  const hash = messageHash(claim.message);
  const [tree] = messageTrees([hash], 32) as [ReturnType<typeof messageTrees>[0]];
  const { root } = tree;
  const proof = tree.prove(0);
  expect(verifyMessageProof({ ...claim, proof, leafIndex: 0, root, depth: 32 })).toBe(hash);
});
