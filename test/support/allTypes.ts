/** Blocks of a real node with transactions of all types and logs of all kinds. */
import { Transaction as Signed, Wallet } from 'ethers';
import { type Anvil, accounts, revertingInit, type Transaction, word } from './anvil.js';
import { delegate } from './chain.js';
import { secondKey } from './programs.js';

/**
 * Emits a log of as many topics as the first byte of the call data says, the words behind it, with the rest as data; with
 * the byte 5, emits two logs and reverts.
 *
 *     PUSH0 CALLDATALOAD PUSH1 f8 SHR                        the byte
 *     DUP1 PUSH1 05 EQ PUSH1 revert JUMPI
 *     PUSH1 01 CALLDATASIZE SUB PUSH1 01 PUSH0 CALLDATACOPY  the rest, to memory
 *     for each n: DUP1 PUSH1 n EQ PUSH1 place JUMPI
 *     n: JUMPDEST topics n to 1, length, offset LOGn STOP
 */
function assemble(): string {
  const head = '5f3560f81c' + '80600514@r57' + '6001360360015f37';
  const tests = [0, 1, 2, 3, 4].map((n) => `8060${word(n).slice(-2)}14@${n}57`).join('');
  const bodies = [0, 1, 2, 3, 4].map((n) => {
    const topics = [];
    for (let i = n - 1; i >= 0; i--) topics.push(`60${word(32 * i).slice(-2)}51`);
    const start = word(32 * n).slice(-2);
    // length = CALLDATASIZE - 1 - 32 n
    return `:${n}5b${topics.join('')}60${start}6001360303` + `60${start}a${n}00`;
  });
  const code = `${head}${tests}00${bodies.join('')}:r5b5f5fa05f5fa05f5ffd`;
  const places = new Map<string, string>();
  let at = 0;
  for (const [token] of code.matchAll(/:.|@.|[\da-f]{2}/g)) {
    if (token.startsWith(':')) places.set(token.slice(1), word(at).slice(-2));
    else at += token.startsWith('@') ? 2 : 1;
  }
  return code.replaceAll(/:./g, '').replaceAll(/@(.)/g, (_, name) => `60${places.get(name)}`);
}

export const emitter = '0x00000000000000000000000000000000000e7117';

/** Puts the contract that emits logs there. @returns the addresses that this adds to a genesis */
export async function putEmitter(node: Anvil): Promise<readonly string[]> {
  await node.call('anvil_setCode', emitter, `0x${assemble()}`);
  return [emitter];
}

/** A call that emits a log of these topics. */
export const emit = (topics: readonly number[], data = ''): Transaction => ({
  to: emitter,
  data: `0x0${topics.length}${topics.map(word).join('')}${data}`,
});

/** A call that emits logs and takes them back. */
export const emitInVain: Transaction = { to: emitter, data: '0x05' };

const zeroBlob = new Uint8Array(131_072);
/** The point at infinity: commitment and proof of a blob of zeros. */
const infinity = `0xc0${'00'.repeat(47)}`;
/** Nothing else is committed to here. */
const kzg = {
  blobToKzgCommitment: () => infinity,
  computeBlobKzgProof: () => infinity,
  computeBlobProof: () => infinity,
  computeCellsProofs: () => ({ cells: [], proofs: [] }),
};

/** A signed transaction with blobs of zeros, of the second account. @param cells as Osaka wants them */
export async function blobTransaction(
  node: Anvil,
  { blobs, isSinceOsaka, tip = 1n }: { blobs: number; isSinceOsaka: boolean; tip?: bigint },
): Promise<string> {
  const nonce = Number(await node.call('eth_getTransactionCount', accounts[1], 'pending'));
  const transaction = Signed.from({
    type: 3,
    chainId: Number(await node.call('eth_chainId')),
    nonce,
    to: emitter,
    data: '0x00aa',
    gasLimit: 100_000n,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: tip,
    maxFeePerBlobGas: 1_000_000_000n,
    accessList: [{ address: emitter, storageKeys: [`0x${word(1)}`, `0x${word(2)}`] }],
  });
  transaction.kzg = kzg as never;
  transaction.blobWrapperVersion = isSinceOsaka ? 1 : null;
  const cells = Array.from({ length: 128 }, () => infinity.slice(2)).join('');
  transaction.blobs = Array.from({ length: blobs }, () => ({
    data: zeroBlob,
    commitment: infinity,
    proof: isSinceOsaka ? `0x${cells}` : infinity,
  })) as never;
  const signer = new Wallet(secondKey);
  transaction.signature = signer.signingKey.sign(transaction.unsignedHash);
  return transaction.serialized;
}

const legacy = { type: '0x0', gasPrice: '0xb2d05e00' };
const listed = {
  type: '0x1',
  gasPrice: '0xb2d05e00',
  accessList: [
    { address: emitter, storageKeys: [`0x${word(7)}`] },
    { address: accounts[0], storageKeys: [] },
  ],
};
/** Returns nothing, and emits a log on its way. */
const emittingInit = '60aa5f5260205fa05f5ff3';

/** Mines blocks of all kinds on a node that has the emitter. @returns their number */
export async function mineAllTypes(node: Anvil, fork: 'prague' | 'osaka'): Promise<number> {
  const raw = async (blobs: number, tip?: bigint) =>
    node.call(
      'eth_sendRawTransaction',
      await blobTransaction(node, { blobs, isSinceOsaka: fork === 'osaka', ...(tip && { tip }) }),
    );
  const nonce = async () =>
    Number(await node.call('eth_getTransactionCount', accounts[1], 'latest'));
  await node.mine(
    { ...legacy, to: accounts[1], value: 5n },
    { ...listed, to: emitter, data: '0x00' },
    { to: accounts[1], value: 1n, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3' },
    { ...legacy, data: `0x${emittingInit}` },
    { data: `0x${revertingInit}` },
    { ...listed, data: `0x${revertingInit}` },
    emitInVain,
    delegate(emitter, await nonce()),
  );
  await node.mine();
  await raw(2);
  await raw(1, 2_000_000_000n);
  await node.mine(emit([]), emit([1]), emit([1, 2], 'abcd'), emit([1, 2, 3]), emit([4, 3, 2, 1]));
  await node.mine();
  // An authorization that is invalid: its nonce is another.
  await node.mine(delegate(emitter, 99), emit([2], 'ff'.repeat(1000)), emit([1, 2], 'abcd'));
  return Number(await node.call('eth_blockNumber'));
}
