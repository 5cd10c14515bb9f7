/** Senders: those that sign with ethers, and signatures that no key makes, in blocks of one transaction. */
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { Transaction, Wallet } from 'ethers';
import { expect, test } from 'vitest';
import { verifyTransactions } from '../../../../src/history/node.js';
import { fromHex, toHex } from '../../../support/hex.js';
import { secondKey } from '../../../support/programs.js';
import { transactionJson } from '../../../support/realBlocks.js';
import type { Wire } from '../../../support/runs.js';

/** The order of the curve secp256k1 (SEC 2, section 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const signer = new Wallet(secondKey);

/** A signature. The first type writes the parity as 27 or 28. */
interface Signature {
  readonly r: bigint;
  readonly s: bigint;
  readonly parity: number;
}

/** Verifies a block of one transaction, whose signature was changed after it was made. */
async function verifySigned(
  type: 0 | 2,
  change: (signature: Signature) => Partial<Signature> = () => ({}),
): Promise<Wire> {
  const transaction = Transaction.from({
    type,
    chainId: type === 0 ? 0 : 31337,
    nonce: 3,
    to: signer.address,
    gasLimit: 21_000,
    ...(type === 0 ? { gasPrice: 9 } : { maxFeePerGas: 9, maxPriorityFeePerGas: 1 }),
  });
  const made = signer.signingKey.sign(transaction.unsignedHash);
  transaction.signature = made;
  const first = { r: BigInt(made.r), s: BigInt(made.s), parity: made.yParity };
  const { r, s, parity } = { ...first, ...change(first) };
  const v = type === 0 ? 27 + parity : parity;
  const raw = fromHex(transaction.serialized);
  const items = RLP.decode(type === 0 ? raw : raw.subarray(1)) as Uint8Array[];
  const encoded = RLP.encode([...items.slice(0, -3), v, r, s]);
  const trie = await createMPT();
  await trie.put(RLP.encode(0), type === 0 ? encoded : Uint8Array.from([type, ...encoded]));
  const quantity = (value: bigint | number) => `0x${value.toString(16)}` as const;
  const json = {
    ...transactionJson(transaction.serialized),
    ...{ r: quantity(r), s: quantity(s), v: quantity(v) },
    ...(type > 0 && { yParity: quantity(v) }),
  };
  const [proven] = verifyTransactions([json], {
    hash: `0x${'aa'.repeat(32)}`,
    number: '0x1',
    timestamp: '0x1',
    transactionsRoot: toHex(trie.root()),
    receiptsRoot: `0x${'bb'.repeat(32)}`,
  });
  return proven;
}

/** The other signature of the same key. */
const mirror = ({ s, parity }: Signature) => ({ s: order - s, parity: 1 - parity });
const refusal = {
  name: 'HistoryError',
  code: 'BAD_ANSWER',
  path: 'transactions[0]',
  reason: expect.stringContaining('a signature that no key can make'),
};

test('the sender is who signed, with and without a chain', async () => {
  const from = signer.address.toLowerCase();
  expect(await verifySigned(0)).toMatchObject({ from, v: expect.stringMatching(/^0x1[bc]$/) });
  expect(await verifySigned(0)).not.toHaveProperty('chainId');
  expect(await verifySigned(2)).toMatchObject({ from, chainId: '0x7a69' });
});

test('a high s is one of the first type only: blocks of before EIP-2 have them', async () => {
  expect(await verifySigned(0, mirror)).toMatchObject({ from: signer.address.toLowerCase() });
  await expect(verifySigned(2, mirror)).rejects.toMatchObject(refusal);
});

test.each([0, 2] as const)('a signature that no key makes is refused, type %i', async (type) => {
  for (const change of [{ r: 0n }, { r: order }, { s: 0n }, { s: order }, { r: 2n ** 256n - 1n }]) {
    await expect(verifySigned(type, () => change)).rejects.toMatchObject(refusal);
  }
});

test('a parity that is none is refused', async () => {
  for (const parity of [-27, -1, 2, 7]) {
    await expect(verifySigned(0, () => ({ parity }))).rejects.toMatchObject(refusal);
  }
});
