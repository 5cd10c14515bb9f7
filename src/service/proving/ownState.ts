/** Amounts from the service's own state: calls are executed here, and the node is asked for code alone, which its hash proves. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { AbiCall } from '../../abi/call.js';
import { encodeHex, type Hex } from '../../bytes.js';
import {
  type CallOutcome,
  EvmError,
  openSession,
  type ReadBounds,
  type StateSource,
  viewAnswer,
  viewCall,
} from '../../evm/index.js';
import { hexToBytes } from '../../foreign/argument.js';
import { hexBytes } from '../../foreign/values.js';
import type { CallFork } from '../../forks.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { StateTree } from '../../tree/index.js';
import { isWithoutCode, mostCodeOf } from '../../verify/code.js';
import type { Account, StateKind } from '../../verify/result.js';
import type { Amounts } from '../chain/amounts.js';
import { NodeError } from '../chain/errors.js';
import type { DecoderNode } from '../chain/node.js';
import { ServiceError } from '../http/errors.js';
import type { Pause } from '../jsonrpc/method.js';
import type { AnyFinality, ProvingTree } from '../proofs/block.js';
import { NotedCalls } from './notedCalls.js';
import { headerProofs, treeProofs } from './pageProofs.js';
import { createPageProver, type Prover } from './prover.js';

/** A state of the service's own, and which of its blocks are final. */
export interface OwnState {
  /** The state tree; it must hold the blocks that are asked about. */
  tree: ProvingTree & Pick<StateTree, 'read' | 'blockHash'>;
  /** Highest L2 block that is finalized on L1, or undefined if none is. */
  finality: AnyFinality;
  /** The hard fork whose rules calls follow. */
  fork: CallFork;
}

/** The bounds on reads of a call that is to be proven. Code is in bytes. */
const provenLimits: ReadBounds = { accounts: 16, slots: 128, code: 128 * 1024 };

/** Bytes of code in memory. */
const maxBytes = 32 * 2 ** 20;

interface OwnStateOptions {
  readonly state: OwnState;
  readonly chainId: number;
  readonly node: Pick<DecoderNode, 'codeAt' | 'client'>;
  /** Makes the calls that need what no state holds: the time or another member of the block's header. */
  readonly other: Amounts;
}

const nowhere: StateSource = {
  known: () => undefined,
  knownCode: () => undefined,
  read: async () => [],
  code: async () => '0x',
};

/** How a call is run. */
interface Run {
  readonly source: StateSource;
  readonly block: number;
  readonly limits?: ReadBounds;
  readonly pause: Pause;
}

/** The source, with the account that a call begins at: without it, one more run would find out that it is missing. */
async function beginAt(source: StateSource, address: Hex): Promise<StateSource> {
  const [begin] = await source.read([{ address, storageKeys: [] }], undefined);
  const known = begin && { account: begin.account, slots: new Map<Hex, Hex>() };
  return { ...source, known: (asked) => (asked === address ? known : source.known(asked)) };
}

/** Loads the engine, so that a package that is missing is told before the first request. @throws ServiceError `MISSING_PEER` */
export async function loadEngine({ fork }: OwnState): Promise<void> {
  const environment = { chainId: 1, fork, number: 0, proven: {}, assumed: {} };
  try {
    await openSession({ source: nowhere, environment });
  } catch (cause) {
    if (!(cause instanceof EvmError && cause.code === 'MISSING_PEER')) throw cause;
    throw new ServiceError('MISSING_PEER', cause.reason, { cause });
  }
}

/** Amounts that can be proven too. */
interface StateAmounts extends Amounts {
  /** Works out amounts at one block, and notes the state that they depend on. @param kind of the proofs */
  prover(block: number, kind: StateKind): Prover;
}

export function createStateAmounts(options: OwnStateOptions): StateAmounts {
  const { state, chainId, node, other } = options;
  const { tree, fork } = state;
  const codes = new LruCache<Hex, Hex>(maxBytes, ({ length }) => entryBytes + length);
  const codeBy = (hash: Hex) => codes.get(hash);
  const noted = new NotedCalls();

  /** @throws NodeError if the node has other code than the state */
  async function codeOf(address: Hex, account: Account<StateKind>, block: number): Promise<Hex> {
    const { keccakCodeHash: hash } = account;
    const bytes = hexBytes(await node.codeAt(address, block), mostCodeOf(account));
    if (bytes === undefined || encodeHex(keccak_256(bytes)) !== hash) {
      throw new NodeError('BAD_ANSWER', "the L2 node has other code than the service's own state");
    }
    const code = encodeHex(bytes);
    codes.set(hash, code);
    return code;
  }

  /** @param pause awaited before and behind each reading: a call runs anew with each, and all of that would be a long piece */
  const sourceAt = (block: number, pause: Pause): StateSource => ({
    known: () => undefined,
    knownCode: (account) => (isWithoutCode(account) ? '0x' : codes.get(account.keccakCodeHash)),
    async read(questions) {
      await pause();
      const found = await Promise.all(
        questions.map(async ({ address, storageKeys }) => {
          const { account, storage } = await tree.read(address, storageKeys, block);
          return { account, values: storage.map(({ value }) => value) };
        }),
      );
      await pause();
      return found;
    },
    code: (address, account) => codeOf(address, account, block),
  });

  /** A call that the engine cannot make. */
  const isBeyondUs = (error: unknown) =>
    error instanceof EvmError && error.code !== 'MISSING_PEER' && error.code !== 'ENGINE';

  /** @returns undefined if the engine cannot make the call @throws EvmError, NodeError, RpcError, and what the pause throws */
  async function run(
    { to, data }: AbiCall,
    { source, block, limits, pause }: Run,
  ): Promise<CallOutcome | undefined> {
    // Named as assumed, the number of the block is listed by a call that reads it.
    const assumed = { number: BigInt(block) };
    const environment = { chainId, fork, number: block, proven: {}, assumed };
    try {
      // A session for each call, so that the reads of one call do not count for the next one.
      const from = await beginAt(source, to);
      const session = await openSession({ source: from, environment, limits });
      // To open one takes as long as a call does.
      await pause();
      return await session.execute(viewCall(to, hexToBytes(data)));
    } catch (error) {
      if (isBeyondUs(error)) return undefined;
      throw error;
    }
  }

  return {
    balanceAt: async (address, block) =>
      (await tree.read(address, [], block)).account?.balance ?? 0n,
    async call(calls, block, pause) {
      const source = sourceAt(block, pause);
      const results: (Uint8Array | undefined)[] = [];
      for (const call of calls) {
        await pause();
        const outcome = await run(call, { source, block, pause });
        if (outcome === undefined) results.push((await other.call([call], block, pause))[0]);
        else results.push(viewAnswer(outcome));
      }
      return results;
    },
    prover: (block, kind) =>
      createPageProver({
        tree,
        block,
        proofs: kind === 'tree' ? treeProofs(tree, block) : headerProofs(node.client, block),
        execute: (call, pause) =>
          noted.make(call, { source: sourceAt(block, pause), codeBy }, (source) =>
            run(call, { source, block, limits: provenLimits, pause }),
          ),
        other,
      }),
  };
}
