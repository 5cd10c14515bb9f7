/**
 * Writes a snapshot of a made-up state, by the library's own builder and in one pass. A third of the leaves are accounts, in
 * random order as a chain would have them; one account in ten has storage, from 1 to 39 slots.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ownSpecOf } from '../dist/codec/spec.js';
import { StateBuilder } from '../dist/tree/load/stateBuilder.js';
import { createEmptyTree } from '../dist/tree/nodes/emptyTree.js';
import { AccountForm, withStorage } from '../dist/tree/snapshot/accountForm.js';
import { BodyWriter } from '../dist/tree/snapshot/bodyWriter.js';
import { chunkWidth } from '../dist/tree/snapshot/chunks.js';
import { encodeSnapshotHeader, headerWidth } from '../dist/tree/snapshot/header.js';
import { crc32 } from '../dist/tree/store/crc32.js';

const first = 2;

/** Eight elements of the field that follow from a number; the first orders them. */
function writeHKey(seed, out) {
  const view = new DataView(out.buffer);
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  for (let i = 0; i < 8; i++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    // Below the modulus, and never zero.
    view.setUint32(4 * i, i === 1 ? seed : (state >>> 2) + 1);
  }
  return view.getUint32(0);
}

/** Neighbours of each leaf in the order of keys. @param seedOf position -> seed of its hKey */
function linksOf(count, seedOf, hKey) {
  const firstWords = new Uint32Array(count).map((_, i) => writeHKey(seedOf(i), hKey));
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => firstWords[a] - firstWords[b] || seedOf(a) - seedOf(b),
  );
  const prev = new Uint32Array(count);
  const next = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    prev[order[i]] = i === 0 ? 0 : order[i - 1] + first;
    next[order[i]] = i === count - 1 ? 1 : order[i + 1] + first;
  }
  return { prev, next, first: order[0] + first, last: order[count - 1] + first };
}

/** Counts the blocks that are hashed. */
function countBlocks(spec) {
  const counted = { blocks: 0 };
  const { hash, hashEach } = spec.hasher;
  const hasher = {
    ...spec.hasher,
    hash(bytes) {
      counted.blocks += bytes.length / 32;
      return hash(bytes);
    },
    hashEach(bytes, width) {
      counted.blocks += bytes.length / 32;
      return hashEach(bytes, width);
    },
  };
  return { counted, spec: { ...spec, hasher } };
}

/**
 * @param leaves of all trees, without heads and tails
 * @returns the state root, the blocks hashed, and the bytes of the file
 */
export function makeSnapshot(path, leaves, onAccount = () => {}) {
  const accounts = Math.floor(leaves / 3);
  const { counted, spec } = countBlocks(ownSpecOf());
  const empty = createEmptyTree(spec);
  const hKey = new Uint8Array(32);
  const links = linksOf(accounts, (i) => i, hKey);
  const nextFreeNode = accounts + first;
  const builder = new StateBuilder(empty, { nextFreeNode, first: links.first, last: links.last });
  const writer = new BodyWriter();
  const form = new AccountForm(spec);
  const slotsOf = (i) => (i % 10 === 0 ? 1 + ((i / 10) % 39) : 0);
  let trees = 0;
  let places = nextFreeNode;
  let slots = 0;
  for (let i = 0; i < accounts; i++) {
    if (slotsOf(i) === 0) continue;
    trees++;
    slots += slotsOf(i);
    places += slotsOf(i) + first;
  }
  const header = {
    hash: 'poseidon2',
    chainId: 1,
    block: 1000,
    blockHash: new Uint8Array(32).fill(7),
    stateRoot: new Uint8Array(32),
    accounts,
    trees,
    places,
  };
  writer.bytes(encodeSnapshotHeader(header));
  for (const number of [nextFreeNode, links.first, links.last]) writer.number(number);
  const file = openSync(path, 'w');
  let firstChunk;
  let bytes = 0;
  const write = (chunks) => {
    for (const chunk of chunks) {
      firstChunk ??= chunk.slice();
      writeSync(file, chunk);
      bytes += chunk.length;
    }
  };
  const word = new Uint8Array(32);
  const value = new Uint8Array(192);
  value.set(emptyCode(spec), 96);
  const view = new DataView(value.buffer);
  for (let i = 0; i < accounts; i++) {
    const count = slotsOf(i);
    writer.number(0);
    writer.byte(form.kindOf(value) + (count > 0 ? withStorage : 0));
    if (count > 0) {
      const own = linksOf(count, (j) => 64 * i + j, hKey);
      const head = {
        tree: i + first,
        nextFreeNode: count + first,
        first: own.first,
        last: own.last,
      };
      builder.openStorage(head);
      for (const number of [head.nextFreeNode, own.first, own.last]) writer.number(number);
      for (let j = 0; j < count; j++) {
        writeHKey(64 * i + j, hKey);
        new DataView(word.buffer).setBigUint64(j % 3 === 0 ? 0 : 24, BigInt(i + 1) * 1000003n);
        writer.number(0);
        writer.number(own.prev[j]);
        writer.number(own.next[j]);
        writer.bytes(hKey);
        writer.integer(word);
        builder.addSlot({ index: j + first, prev: own.prev[j], next: own.next[j] }, hKey, word);
        word.fill(0);
      }
    }
    writeHKey(i, hKey);
    view.setUint32(28, i % 1000);
    view.setBigUint64(56, BigInt(i) * 1000000007n);
    writer.number(links.prev[i]);
    writer.number(links.next[i]);
    writer.bytes(hKey);
    form.write(writer, value);
    builder.addAccount({ index: i + first, prev: links.prev[i], next: links.next[i] }, hKey, value);
    write(writer.take());
    if (i % 10_000 === 0) onAccount(i);
  }
  write(writer.end());
  const stateRoot = builder.finish();
  // The root is known last, and stands first.
  firstChunk.set(encodeSnapshotHeader({ ...header, stateRoot }).subarray(0, headerWidth));
  const content = firstChunk.subarray(0, Math.min(chunkWidth, firstChunk.length - 4));
  const checksum = crc32(content, crc32(new Uint8Array(8)));
  new DataView(firstChunk.buffer).setUint32(content.length, checksum);
  writeSync(file, firstChunk, 0, firstChunk.length, 0);
  closeSync(file);
  const root = `0x${Buffer.from(stateRoot).toString('hex')}`;
  return { stateRoot: root, blocks: counted.blocks, bytes, leaves: accounts + slots };
}

/** The code's part of the value of an account that never had any. */
function emptyCode(spec) {
  const noCode = Buffer.from(
    'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    'hex',
  );
  return Buffer.concat([spec.hasher.hash(new Uint8Array(32)), noCode, Buffer.alloc(32)]);
}
