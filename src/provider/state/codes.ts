/** Contract code: a claim of the server, until its size and hash are those of the proven account. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { dataBytes, hexBytes } from '../../foreign/values.js';
import { LruCache } from '../../lru.js';
import { codeAnswer } from '../../rpc/bounds.js';
import { callL2 } from '../../rpc/caller.js';
import { RpcError, type Transport } from '../../rpc/index.js';
import { type BlockName, createNodeClient, toAskNode, unread } from '../../rpc/nodeClient.js';
import { methodNotFound } from '../../rpc/noMethod.js';
import { SharedWork } from '../../sharedWork.js';
import { isWithoutCode, longestCode, mostCodeOf } from '../../verify/code.js';
import type { Account, StateKind } from '../../verify/result.js';
import { Mismatch } from '../params/errors.js';
import type { Lifetime } from './lifetime.js';

/** Of a state of either kind. */
type AnyAccount = Account<StateKind>;

export interface Codes {
  /** Asks for the code at an address before its account is proven; `codeOf` then waits for it. */
  expect(address: Hex): void;
  /** The code of a proven account, if it is kept. */
  known(account: AnyAccount): Hex | undefined;
  /**
   * The code of a proven account. It follows from its hash alone, so it is kept over all roots.
   *
   * @param address 20 bytes
   * @param block number of the L2 block that the account was proven in
   * @throws Mismatch `CODE_MISMATCH`, RpcError, the signal's reason
   */
  codeOf(address: Hex, account: AnyAccount, block: number): Promise<Hex>;
}

/** Characters of code that are kept. */
const maxLength = 32 * 1024 * 1024;

/** Bytes of code that is kept before it is known to be an account's. */
const maxExpected = 64 * 1024;

export function createCodes(l2: Transport, lifetime: Lifetime): Codes {
  const codes = new LruCache<Hex, Hex>(maxLength, ({ length }) => length);
  const asking = new SharedWork<Hex, Hex>();
  /** By address: code that was asked for before its hash was proven. */
  const expected = new Map<Hex, Promise<void>>();

  const node = createNodeClient(
    toAskNode((method, params, maxBytes) =>
      lifetime.run((signal) => callL2(l2, method, params, signal, { maxBytes })),
    ),
  );

  /** @param size of the code, in bytes, or at most */
  const getCode = (address: Hex, at: BlockName, size: number): Promise<unknown> =>
    node.code(address, at, unread, codeAnswer(size));

  /** @returns undefined if it is other code */
  function checked(code: unknown, { keccakCodeHash, codeSize }: AnyAccount): Hex | undefined {
    const bytes =
      codeSize === undefined ? dataBytes(code, longestCode) : hexBytes(code, Number(codeSize));
    if (!bytes || encodeHex(keccak_256(bytes)) !== keccakCodeHash) return undefined;
    return encodeHex(bytes);
  }

  async function ask(address: Hex, account: AnyAccount, block: number): Promise<Hex> {
    // Nodes drop old states early, and code hardly ever changes. Its block does not matter, only its hash.
    const { codeSize, keccakCodeHash } = account;
    const get = (at: BlockName) => getCode(address, at, mostCodeOf(account));
    const newest = checked(await get('latest'), account);
    const code = newest ?? checked(await get(block), account);
    if (code !== undefined) {
      codes.set(keccakCodeHash, code);
      return code;
    }
    const size = codeSize === undefined ? 'that' : `${codeSize} bytes`;
    const text = `the server has other code than ${size} of keccak hash ${keccakCodeHash}; ask another`;
    throw new Mismatch('CODE_MISMATCH', text);
  }

  async function askOnce(address: Hex, account: AnyAccount, block: number): Promise<Hex> {
    const { keccakCodeHash: hash } = account;
    try {
      return await asking.run(hash, undefined, () => ask(address, account, block));
    } catch (error) {
      if (error instanceof RpcError && error.serverCode === methodNotFound) {
        const text = 'the server answers no eth_getCode; give a transport that sends it to a node';
        throw new RpcError('SERVER_ERROR', 'eth_getCode', text, error);
      }
      throw error;
    }
  }

  /** Whatever comes is kept under its own hash, so it is only found by an account that has that code. */
  async function arrive(address: Hex): Promise<void> {
    try {
      const bytes = dataBytes(await getCode(address, 'latest', maxExpected), maxExpected);
      const hash = bytes && encodeHex(keccak_256(bytes));
      if (bytes && hash) codes.set(hash, encodeHex(bytes));
    } catch {
      // Once the account is proven, its code is asked for again, and that failure is told.
    } finally {
      expected.delete(address);
    }
  }

  return {
    expect(address) {
      if (!expected.has(address)) expected.set(address, arrive(address));
    },
    known: (account) => (isWithoutCode(account) ? '0x' : codes.get(account.keccakCodeHash)),
    async codeOf(address, account, block) {
      if (isWithoutCode(account)) return '0x';
      await expected.get(address);
      return codes.get(account.keccakCodeHash) ?? askOnce(address, account, block);
    },
  };
}
