/** Roots, against the SSZ library of Lodestar. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesRoot,
  isInTree,
  merkleRoot,
  numberNode,
} from '../../../../src/beacon/verify/merkle.js';
import { parseBootstrap } from '../../../../src/beacon/verify/parse.js';
import { committeeRoot, headerRoot, signingRoot } from '../../../../src/beacon/verify/roots.js';
import { makeChain } from '../../../support/beacon/chain.js';
import { networkFrom } from '../../../support/beacon/networks.js';
import {
  BeaconBlockHeader,
  ForkData,
  payloadHeaders,
  SigningData,
  syncCommittee,
} from '../../../support/beacon/ssz.js';
import { fromHex, toHex } from '../../../support/hex.js';

const bytes = (width: number) => fc.uint8Array({ minLength: width, maxLength: width });
const root = bytes(32);
const uint = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });

test('a header has the root that the other library gives it', () => {
  const members = { proposerIndex: uint(64), parentRoot: root, stateRoot: root, bodyRoot: root };
  fc.assert(
    fc.property(fc.record({ ...members, slot: fc.maxSafeNat() }), (header) => {
      const other = BeaconBlockHeader.hashTreeRoot({ ...header, slot: BigInt(header.slot) });
      expect(toHex(headerRoot(header))).toBe(toHex(other));
    }),
  );
});

test.each([8, 32, 512])('so has a committee of %d', (size) => {
  const type = syncCommittee(size);
  const keys = fc.array(bytes(48), { minLength: size, maxLength: size });
  fc.assert(
    fc.property(fc.record({ pubkeys: keys, aggregatePubkey: bytes(48) }), (committee) => {
      expect(toHex(committeeRoot(committee))).toBe(toHex(type.hashTreeRoot(committee)));
    }),
    { numRuns: 20 },
  );
});

test('so has what a committee signs', () => {
  const members = { version: bytes(4), genesis: root, object: root };
  const network = networkFrom('deneb');
  fc.assert(
    fc.property(fc.record(members), ({ version, genesis, object }) => {
      const fork = ForkData.hashTreeRoot({
        currentVersion: version,
        genesisValidatorsRoot: genesis,
      });
      const domain = new Uint8Array([7, 0, 0, 0, ...fork.subarray(0, 28)]);
      const other = SigningData.hashTreeRoot({ objectRoot: object, domain });
      const own = signingRoot(
        { ...network, genesisValidatorsRoot: toHex(genesis) },
        { root: object, version: toHex(version) },
      );
      expect(toHex(own)).toBe(toHex(other));
    }),
  );
});

describe.each(['capella', 'deneb'] as const)('a payload header of %s', (fork) => {
  const type = payloadHeaders[fork];
  const network = networkFrom(fork);
  const bootstrap = makeChain(network).bootstrap(9);
  const common = {
    ...{ parentHash: root, feeRecipient: bytes(20), stateRoot: root, receiptsRoot: root },
    ...{ logsBloom: bytes(256), prevRandao: root, blockNumber: uint(64), gasLimit: uint(64) },
    ...{ gasUsed: uint(64), timestamp: uint(64), extraData: fc.uint8Array({ maxLength: 32 }) },
    ...{ baseFeePerGas: uint(256), blockHash: root, transactionsRoot: root, withdrawalsRoot: root },
  };
  const blobs = { blobGasUsed: uint(64), excessBlobGas: uint(64) };

  test('has the root that the other library gives it', () => {
    fc.assert(
      fc.property(fc.record({ ...common, ...(fork === 'deneb' ? blobs : {}) }), (payload) => {
        const execution = type.toJson(payload as never);
        const header = { ...bootstrap.header, execution };
        const parsed = parseBootstrap({ ...bootstrap, header }, network).header.execution;
        expect(toHex(merkleRoot(parsed.nodes))).toBe(toHex(type.hashTreeRoot(payload as never)));
        expect(parsed.blockHash).toEqual(payload.blockHash);
        expect(parsed.isEmpty).toBe(false);
      }),
    );
  });
});

describe('a place in a tree', () => {
  const sha256 = (...parts: Uint8Array[]) =>
    new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest());
  const leaves = Array.from({ length: 4 }, (_, i) => numberNode(i + 1));
  const [a, b, c, d] = leaves as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const whole = sha256(sha256(a, b), sha256(c, d));
  const zero = new Uint8Array(32);

  test('the root over leaves fills up with zeros', () => {
    expect(merkleRoot(leaves)).toEqual(whole);
    expect(merkleRoot([a, b, c])).toEqual(sha256(sha256(a, b), sha256(c, zero)));
    const five = sha256(whole, sha256(sha256(d, zero), sha256(zero, zero)));
    expect(merkleRoot([...leaves, d])).toEqual(five);
    expect(merkleRoot([a])).toEqual(a);
    expect(bytesRoot(new Uint8Array(40).fill(7))).toEqual(
      sha256(new Uint8Array(32).fill(7), new Uint8Array(32).fill(7, 0, 8)),
    );
  });

  test('a number is little-endian', () => {
    expect(toHex(numberNode(0x0102n))).toBe(`0x0201${'00'.repeat(30)}`);
  });

  test('each leaf is found at its index alone', () => {
    const branches = [
      [b, sha256(c, d)],
      [a, sha256(c, d)],
      [d, sha256(a, b)],
      [c, sha256(a, b)],
    ];
    for (const [i, branch] of branches.entries()) {
      for (const [at, leaf] of leaves.entries()) {
        for (let index = 4; index < 8; index++) {
          const isThere = isInTree(leaf, branch, { index, root: whole });
          expect(isThere).toBe(at === i && index === 4 + i);
        }
      }
    }
  });

  test('a branch with levels to spare has zeros there, and no others', () => {
    const branch = [b, sha256(c, d)];
    const place = { index: 4, root: whole };
    expect(isInTree(a, [zero, ...branch], place)).toBe(true);
    expect(isInTree(a, [zero, zero, ...branch], place)).toBe(true);
    expect(isInTree(a, [b, ...branch], place)).toBe(false);
    expect(isInTree(a, [...branch, zero], place)).toBe(false);
    expect(isInTree(sha256(a, b), [sha256(c, d)], place)).toBe(false);
    expect(isInTree(fromHex(toHex(a)), branch, place)).toBe(true);
  });
});
