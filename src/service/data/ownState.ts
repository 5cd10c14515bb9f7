/** Amounts from the service's own state: calls are executed here, and the node is asked for code alone, which its hash proves. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import {
  EvmError,
  type Fork,
  openSession,
  type Session,
  type StateSource,
} from '../../evm/index.js';
import { hexBytes } from '../../foreign/values.js';
import type { StateTree } from '../../tree/index.js';
import type { Account } from '../../verify/result.js';
import type { AnyFinality, ProvingTree } from '../block.js';
import type { AbiCall } from '../decoder/abi.js';
import { NodeError } from '../decoder/errors.js';
import type { DecoderNode } from '../decoder/node.js';
import { createRecent } from '../decoder/recent.js';
import { ServiceError } from '../errors.js';
import type { Amounts } from './amounts.js';

/** A state of the service's own, and which of its blocks are final. */
export interface OwnState {
  tree: ProvingTree & Pick<StateTree, 'read' | 'blockHash'>;
  /** Highest L2 block that is finalized on L1, or undefined if none is. */
  finality: AnyFinality;
  /** The hard fork whose rules calls follow. */
  fork: Fork;
}

/** Gas of a call. Here a gas costs more time than on a node. */
const callGas = 300_000n;

/** Bytes of code in memory. */
const room = 32 * 2 ** 20;

/** Longest answer of a call that counts: some contracts answer without end. */
const maxAnswer = 4096;

const nobody: Hex = `0x${'0'.repeat(40)}`;

export interface OwnStateOptions {
  readonly state: OwnState;
  readonly chainId: number;
  readonly node: Pick<DecoderNode, 'codeAt'>;
  /** Makes the calls that need what no state holds: the time or another member of the block's header. */
  readonly other: Amounts;
}

const nowhere: StateSource = {
  known: () => undefined,
  knownCode: () => undefined,
  read: async () => [],
  code: async () => '0x',
};

/** Loads the engine, so that a package that is missing is told before the first request. @throws ServiceError `MISSING_PEER` */
export async function loadEngine({ fork }: OwnState): Promise<void> {
  const environment = { chainId: 1, fork, number: 0, proven: {}, assumed: {} };
  try {
    await openSession({ source: nowhere, environment });
  } catch (cause) {
    if (!(cause instanceof EvmError && cause.code === 'MISSING_PEER')) throw cause;
    throw new ServiceError('MISSING_PEER', cause.message.replace(` (${cause.code})`, ''), {
      cause,
    });
  }
}

export function createStateAmounts(options: OwnStateOptions): Amounts {
  const { state, chainId, node, other } = options;
  const { tree, fork } = state;
  const codes = createRecent<Hex>(room);

  /** @throws NodeError if the node has other code than the state */
  async function codeOf(address: Hex, account: Account, block: number): Promise<Hex> {
    const { codeSize, keccakCodeHash: hash } = account;
    const bytes = hexBytes(await node.codeAt(address, block), Number(codeSize));
    if (bytes === undefined || encodeHex(keccak_256(bytes)) !== hash) {
      throw new NodeError('BAD_ANSWER', "the L2 node has other code than the service's own state");
    }
    const code = encodeHex(bytes);
    codes.set(hash, code, code.length);
    return code;
  }

  const sourceAt = (block: number): StateSource => ({
    known: () => undefined,
    knownCode: ({ codeSize, keccakCodeHash }) =>
      codeSize === 0n ? '0x' : codes.get(keccakCodeHash),
    read: (questions) =>
      Promise.all(
        questions.map(async ({ address, storageKeys }) => {
          const { account, storage } = await tree.read(address, storageKeys, block);
          return { account, values: storage.map(({ value }) => value) };
        }),
      ),
    code: (address, account) => codeOf(address, account, block),
  });

  async function execute(session: Session, { to, data }: AbiCall): Promise<Uint8Array | undefined> {
    const { kind, output } = await session.execute({
      from: nobody,
      to,
      data: hexBytes(data, (data.length - 2) / 2) as Uint8Array,
      value: 0n,
      gas: callGas,
      gasPrice: undefined,
      maxGasPrice: 0n,
      accessList: [],
    });
    return kind === 'success' && output.length <= maxAnswer ? output : undefined;
  }

  /** A call that the engine cannot make. */
  const isBeyondUs = (error: unknown) =>
    error instanceof EvmError && error.code !== 'MISSING_PEER' && error.code !== 'ENGINE';

  return {
    balanceAt: async (address, block) =>
      (await tree.read(address, [], block)).account?.balance ?? 0n,
    async call(calls, block, pause) {
      const environment = { chainId, fork, number: block, proven: {}, assumed: {} };
      const source = sourceAt(block);
      const results: (Uint8Array | undefined)[] = [];
      for (const call of calls) {
        await pause();
        try {
          // One for each call: what one has read does not count for the next one.
          const result = await execute(await openSession({ source, environment }), call);
          results.push(result);
        } catch (error) {
          if (!isBeyondUs(error)) throw error;
          results.push((await other.call([call], block, pause))[0]);
        }
      }
      return results;
    },
  };
}
