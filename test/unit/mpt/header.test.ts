/** Headers of L1: of real blocks, of a real server on every fork, and edited. */

import { createBlockHeader } from '@ethereumjs/block';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import { AnchorError, verifyL1Header } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { startAnvil } from '../../support/anvil.js';
import { toHex } from '../../support/hex.js';
import { thrownBy } from '../../support/thrown.js';

const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;

/** Ethereum's first block. */
const genesis = {
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  parentHash: zeros(32),
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: zeros(20),
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  logsBloom: zeros(256),
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: zeros(32),
  nonce: '0x0000000000000042',
} as const;

/** Ethereum's block 23,535,880, of October 2025. */
const recent = {
  hash: '0xe38d4bb2060a54519508612f40ef737a09c5b20488c12b0bec2d4f5ea7073c15',
  parentHash: '0x1fab238a9630a2e95c8b735ebc63bc2751bc6492f409ee16a7b5a532985196eb',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: '0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97',
  stateRoot: '0xd3c86549e5d57f14bd0b28630b70cb68038ac3334251bd194c93a18d96492f39',
  transactionsRoot: '0x9da0226f723a9da4b8df8782930c0e83bd73c4a393069ee7861465188eed989b',
  receiptsRoot: '0x01d0a60dd8fd8de710a191aba91f82e2a437ac21a6e77b21b2f745809e7feadf',
  logsBloom:
    '0x3effc77fb16497fa74fffeb6ef65dfbd7b97f8dd7f198ff37abfcf5fdeb329e7bdbc9d8caffdf765f7b75df9e737eff773fbf639ff9ffb376fb726a7ff2f68dffea0de7fafd3f7fbff8d5fdff57becf3e76f3f73fefc1ff9bbf9df7fb3fffff13f577b7fdffeb7f7ffb8cd71ff93fff3bfffd7e3bfbe576daefdfff6fb5afedf8ffbbd7d7baf977f46fbffceebfbe86fc6ffb6f1eff3fbbfbeb9eefbf954ffe3fbff9d73b8f9ecfdcfdf7df3fdd9ff3bbfdfe9efe8ffee6ff7fe4a3ff7a5fefbfffffcffcd7f2bc04bdf7c52d3fdfeff3f7dfe7b4fefa9f46edb53c2de9ffb7f3ffdff6fefa67f64f6e7f7bff5af1dffffeff9b99ff86fef589e3bbfffdfffb7',
  difficulty: '0x0',
  number: '0x1672108',
  gasLimit: '0x2aea540',
  gasUsed: '0x1d1e02e',
  timestamp: '0x68e6df9f',
  extraData: '0x546974616e2028746974616e6275696c6465722e78797a29',
  mixHash: '0x15350a0cad9bc5cb1298b3710db038850f1df5d8ac00c4ca3b03fb64c7e8ab78',
  nonce: zeros(8),
  baseFeePerGas: '0xb9e4be0',
  withdrawalsRoot: '0x0740ba007069960b2d60f77b0ce2648cffa3573accd055d4803eb771e32903e7',
  blobGasUsed: '0xc0000',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: '0x2bd55d2f0e1a3d3e181659ebc21bb167527e517de88b39b0d7ebbeeb3e28eebc',
  requestsHash: '0x965c860907968cab126093a785436ad747495ae45b21dac1b6a92ae0f4866ce0',
} as const;

/** The numbers as the block explorer shows them. */
const quantities = {
  number: 23535880,
  gasLimit: 45000000,
  gasUsed: 30531630,
  timestamp: 1759960991,
  baseFeePerGas: 194923488,
  blobGasUsed: 786432,
} as const;

const accessList = `0x${'a7'.repeat(32)}` as const;

/** A header of the fork after Osaka (EIP-7928 and EIP-7843), and its hash by a second implementation. */
function amsterdamOf(slot: bigint) {
  const { hash: _, ...header } = recent;
  const { miner, nonce, sha3Uncles, receiptsRoot, transactionsRoot } = header;
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: 'amsterdam' });
  const block = createBlockHeader(
    {
      ...header,
      ...{ coinbase: miner, nonce: nonce as `0x${string}`, uncleHash: sha3Uncles },
      ...{ receiptTrie: receiptsRoot, transactionsTrie: transactionsRoot },
      ...{ blockAccessListHash: accessList, slotNumber: slot },
    },
    { common, skipConsensusFormatValidation: true },
  );
  const slotNumber = `0x${slot.toString(16)}`;
  const hash = toHex(block.hash());
  return { ...header, blockAccessListHash: accessList, slotNumber, hash };
}
const amsterdam = amsterdamOf(12_345_678n);

/** What the check throws. */
const failure = (header: unknown, hash: Hex = recent.hash): AnchorError =>
  thrownBy(AnchorError, () => verifyL1Header(header, hash));

test('real headers', () => {
  for (const [name, value] of Object.entries(quantities)) {
    expect(Number(recent[name as keyof typeof quantities]), name).toBe(value);
  }
  expect(verifyL1Header(recent, recent.hash)).toEqual({
    stateRoot: recent.stateRoot,
    number: 23535880,
    timestamp: 1759960991n,
  });
  expect(verifyL1Header(genesis, genesis.hash)).toEqual({
    stateRoot: genesis.stateRoot,
    number: 0,
    timestamp: 0n,
  });
});

describe.each(['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'])('%s', (fork) => {
  test('headers of a real server', async () => {
    const node = await startAnvil('--hardfork', fork);
    try {
      await node.mine({ to: '0x00000000000000000000000000000000000a11ce', value: 1n });
      for (const tag of ['earliest', 'latest']) {
        const block = await node.call('eth_getBlockByNumber', tag, true);
        expect(verifyL1Header(block, block.hash)).toEqual({
          stateRoot: block.stateRoot,
          number: Number(block.number),
          timestamp: BigInt(block.timestamp),
        });
      }
    } finally {
      await node.close();
    }
  });
});

test('numbers with leading zeros, hashes in upper case, null for fields of later forks', () => {
  const padded = { ...recent, number: '0x01672108', timestamp: '0x0000000068e6df9f' };
  const upper = { ...padded, stateRoot: `0x${recent.stateRoot.slice(2).toUpperCase()}` };
  expect(verifyL1Header(upper, recent.hash).stateRoot).toBe(recent.stateRoot);
  const nulls = { ...genesis, baseFeePerGas: null, withdrawalsRoot: null, requestsHash: undefined };
  expect(verifyL1Header(nulls, genesis.hash).number).toBe(0);
});

test('members out of the header do not matter', () => {
  const block = {
    ...recent,
    hash: zeros(32),
    size: 1,
    transactions: [],
    totalDifficulty: null,
    foo: 1,
  };
  expect(verifyL1Header(block, recent.hash).number).toBe(23535880);
});

const digits = (text: string) => [...text.slice(2)].map((_, i) => i + 2);
test('no change of a digit passes', () => {
  const { hash: _, ...header } = recent;
  for (const [name, value] of Object.entries(header)) {
    // Each digit of the short fields, each eighth of the filter's.
    for (const at of digits(value).filter((i) => value.length < 100 || i % 8 === 0)) {
      const digit = ((Number.parseInt(value[at] as string, 16) + 1) % 16).toString(16);
      const changed = value.slice(0, at) + digit + value.slice(at + 1);
      const { code } = failure({ ...recent, [name]: changed });
      expect(code, `${name} ${at}`).toBe('BAD_PROOF');
    }
  }
});

test('missing and malformed fields are named', () => {
  const { hash: _, ...header } = recent;
  for (const name of Object.keys(header)) {
    const value = header[name as keyof typeof header];
    for (const wrong of [
      1,
      null,
      {},
      '',
      '0x',
      `${value}00`.padEnd(9000, '0'),
      `${value}0g`,
      value.slice(2),
      `0X${value.slice(2)}`,
    ]) {
      // 0x is no extra data, and null stands for a field that the block's fork does not have.
      const isLater = !(name in genesis);
      if ((name === 'extraData' && wrong === '0x') || (isLater && wrong === null)) {
        expect(failure({ ...recent, [name]: wrong }).code).toBe('BAD_PROOF');
        continue;
      }
      const error = failure({ ...recent, [name]: wrong });
      expect(error).toMatchObject({ code: 'BAD_ANSWER', path: name });
    }
  }
});

test('the header of another block', () => {
  expect(failure(genesis)).toSatisfy(
    ({ code, path }) => code === 'BAD_PROOF' && path === undefined,
  );
  expect(failure(recent, genesis.hash).code).toBe('BAD_PROOF');
});

test('fields that this version does not know are told by name', () => {
  for (const name of ['inclusionListHash', 'BlockAccessListHash', 'balhash', 'slot']) {
    for (const header of [recent, amsterdam]) {
      const error = failure({ ...header, [name]: zeros(32) }, genesis.hash);
      expect(error.code).toBe('UNKNOWN_HEADER_FIELD');
      expect(error.message).toContain(name);
    }
  }
  // Foreign names are cut, and lose what could look like something else.
  const long = failure({ ...recent, [`<b>${'x'.repeat(1000)}`]: 1 }, genesis.hash);
  expect(long.message).toContain('?b?xxx');
  expect(long.message.length).toBeLessThan(400);
});

describe('amsterdam', () => {
  const proven = { stateRoot: recent.stateRoot, number: 23535880, timestamp: 1759960991n };

  test.each([0n, 1n, 127n, 128n, 12_345_678n, 2n ** 64n - 1n])('slot %s', (slot) => {
    const header = amsterdamOf(slot);
    expect(verifyL1Header(header, header.hash)).toEqual(proven);
    const padded = { ...header, slotNumber: `0x${slot.toString(16).padStart(16, '0')}` };
    expect(verifyL1Header(padded, header.hash)).toEqual(proven);
    const other = { ...header, slotNumber: `0x${(slot ^ 1n).toString(16)}` };
    expect(failure(other, header.hash).code).toBe('BAD_PROOF');
  });

  test('the hash is that of the fields in their order', () => {
    const { hash, ...fields } = amsterdam;
    const short = ['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas'];
    short.push('blobGasUsed', 'excessBlobGas', 'slotNumber');
    const items = Object.entries(fields).map(([name, value]) =>
      short.includes(name) ? BigInt(value) : value,
    );
    expect(toHex(keccak_256(RLP.encode(items)))).toBe(hash);
  });

  test('both fields are in the hash', () => {
    const { hash, ...header } = amsterdam;
    for (const name of ['blockAccessListHash', 'slotNumber'] as const) {
      const { [name]: value, ...rest } = header;
      for (const lacking of [rest, { ...rest, [name]: null }]) {
        expect(failure(lacking, hash).code, name).toBe('BAD_PROOF');
      }
      for (const wrong of [1, {}, '', '0x', `${value}00`.padEnd(70, '0'), `${value}0g`]) {
        expect(failure({ ...header, [name]: wrong }, hash)).toMatchObject({
          ...{ code: 'BAD_ANSWER', path: name },
        });
      }
      // A header of an earlier fork has neither.
      expect(failure({ ...recent, [name]: value }).code).toBe('BAD_PROOF');
    }
    expect(
      verifyL1Header({ ...recent, blockAccessListHash: null, slotNumber: null }, recent.hash),
    ).toEqual(proven);
    const over = { ...header, slotNumber: `0x1${'0'.repeat(16)}` };
    expect(failure(over, hash)).toMatchObject({ code: 'BAD_ANSWER', path: 'slotNumber' });
  });

  test('the other name of the access list counts if the first is absent', () => {
    const { hash, blockAccessListHash, ...rest } = amsterdam;
    const other = { ...rest, balHash: blockAccessListHash };
    expect(verifyL1Header(other, hash)).toEqual(proven);
    expect(verifyL1Header({ ...other, blockAccessListHash: null }, hash)).toEqual(proven);
    expect(verifyL1Header({ ...amsterdam, balHash: zeros(32) }, hash)).toEqual(proven);
    expect(failure({ ...other, blockAccessListHash: zeros(32) }, hash).code).toBe('BAD_PROOF');
    expect(failure({ ...rest, balHash: zeros(32) }, hash).code).toBe('BAD_PROOF');
    expect(failure({ ...rest, balHash: '0x12' }, hash)).toMatchObject({
      ...{ code: 'BAD_ANSWER', path: 'balHash' },
    });
  });
});

test('what is no header', () => {
  for (const header of [undefined, null, 1, 'x', [], {}, () => 1]) {
    expect(failure(header).code).toBe('BAD_ANSWER');
  }
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(failure(proxy).code).toBe('BAD_ANSWER');
  const keyless = new Proxy(genesis, {
    ownKeys() {
      throw new Error('no');
    },
  });
  expect(failure(keyless).code).toBe('BAD_ANSWER');
  expect(failure(Object.create(recent)).code).toBe('BAD_ANSWER');
  const getter = Object.defineProperty({ ...recent }, 'number', { get: () => recent.number });
  expect(failure(getter)).toMatchObject({ code: 'BAD_ANSWER', path: 'number' });
});

test("a wrong hash is the caller's mistake", () => {
  for (const hash of [undefined, null, 1, recent]) {
    expect(() => verifyL1Header(null, hash as never)).toThrow(TypeError);
  }
  for (const hash of ['0x', recent.hash.slice(0, -2), zeros(32)]) {
    expect(() => verifyL1Header(null, hash as never)).toThrow(RangeError);
  }
});
