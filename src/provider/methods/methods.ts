/** The methods that are answered from proofs: what each asks, and of which block. */
import { AnchorError, type Network } from '../../anchor/index.js';
import { toQuantity } from '../../foreign/values.js';
import type { HistoryErrorCode } from '../../history/verify/errors.js';
import type { BlockHeader } from '../../history/verify/types.js';
import { isHeader, toRpcAnswer } from '../../proven/index.js';
import type { StateKind } from '../../verify/result.js';
import {
  type Params,
  readAddressParam,
  readBlockParam,
  readParams,
  readSlot,
  readSlots,
  type WantedBlock,
} from '../params/params.js';
import type { Codes } from '../state/codes.js';
import type { Hints } from '../state/hints.js';
import type { ProvenHistory } from '../state/histories.js';
import type { Lifetime } from '../state/lifetime.js';
import type { View } from '../state/view.js';
import { proofOnly } from '../state/wire.js';

/** The sources of answers beside the state. */
export interface Means {
  readonly codes: Codes;
  readonly hints: Hints;
  readonly lifetime: Lifetime;
  /** The request's own. */
  readonly signal: AbortSignal | undefined;
  /** Asks about blocks whose headers are proven. @throws HistoryError, RpcError, errors of proofs */
  history<T>(use: (history: ProvenHistory) => Promise<T>): Promise<T>;
  /** The header of the block whose state is read; undefined if it is not proven. @throws as `history` */
  header(): Promise<BlockHeader | undefined>;
}

export interface ProvenAnswer {
  readonly result: unknown;
  /** Its assumptions besides proofs. */
  readonly assumed: readonly string[];
  /**
   * Whether it hangs on hashes of blocks that the operator has put into the state (EIP-2935), and that nothing but L1's memory
   * of them is known to bind.
   */
  readonly isOnBlockHashes?: boolean;
  /** Whether the proofs are of the state that proves headers, and not of the one that is read. */
  readonly isOfHistory?: boolean;
}

/** A request whose parameters were read. */
export interface ParsedRequest {
  readonly block: WantedBlock;
  /** Codes of a HistoryError that say that there is no such thing, or none that is proven yet; its answer is null. */
  readonly absent: readonly HistoryErrorCode[];
  /** @throws what could not be verified, or was not answered */
  answer(view: View, means: Means): Promise<ProvenAnswer>;
}

export interface ProvenMethod<T = unknown> {
  /** Default none. */
  readonly absent?: readonly HistoryErrorCode[];
  /** Most parameters. */
  readonly params: number;
  /** Place of the block among the parameters; undefined if the method takes no block. */
  readonly block: number | undefined;
  read(params: Params): (view: View, means: Means) => Promise<T>;
}

/** A method whose answer is a number of the account; of one that does not exist it is 0. */
const accountNumber = (name: 'balance' | 'nonce'): ProvenMethod => ({
  params: 2,
  block: 1,
  read(params) {
    const address = readAddressParam(params[0], 'params[0]');
    return async (view) => toQuantity((await view.read(address)).account?.[name] ?? 0n);
  },
});

const getStorageAt: ProvenMethod = {
  params: 3,
  block: 2,
  read(params) {
    const address = readAddressParam(params[0], 'params[0]');
    const slot = readSlot(params[1], 'params[1]');
    return async (view) => (await view.read(address, [slot])).values[0];
  },
};

const getCode: ProvenMethod = {
  params: 2,
  block: 1,
  read(params) {
    const address = readAddressParam(params[0], 'params[0]');
    return async (view, { codes }) => {
      const { account } = await view.read(address);
      return account ? codes.codeOf(address, account, view.anchor.l2BlockNumber) : '0x';
    };
  },
};

const blockNumber: ProvenMethod = {
  params: 0,
  block: undefined,
  read: () => async (view) => toQuantity(view.anchor.l2BlockNumber),
};

const getProof: ProvenMethod = {
  params: 3,
  block: 2,
  read(params) {
    const address = readAddressParam(params[0], 'params[0]');
    const storageKeys = readSlots(params[1], 'params[1]');
    return async (view) => {
      refuseKind(view, 'tree', 'eth_getProof');
      return proofOnly((await view.proof(address, storageKeys)).result);
    };
  },
};

/** Of blocks whose hash L1 holds. @param proofMethod how the network's servers call `l2_getProof` */
const getTrieProof = (proofMethod: string): ProvenMethod => ({
  params: 3,
  block: 2,
  read(params) {
    const address = readAddressParam(params[0], 'params[0]');
    const storageKeys = readSlots(params[1], 'params[1]');
    return async (view) => {
      refuseKind(view, 'header', proofMethod);
      const { result, state } = await view.proof(address, storageKeys);
      return toRpcAnswer(result, state);
    };
  },
});

/** @param other method that answers proofs of the other kind @throws AnchorError `NOT_PROVABLE` */
function refuseKind({ anchor }: View, kind: StateKind, other: string): void {
  if (isHeader(anchor) === (kind === 'header')) return;
  const held = isHeader(anchor) ? 'the block hash and no root' : 'a root and no block hash';
  const text = `of block ${anchor.l2BlockNumber} L1 holds ${held}: ask for ${other}`;
  throw new AnchorError('NOT_PROVABLE', text);
}

/** Proofs as any node gives them. */
export const trieMethod = 'eth_getProof';

export type ProvenMethods = ReadonlyMap<string, (params: unknown) => ParsedRequest>;

/** A method whose answer is proven state, and nothing beside. */
const plain = ({ params, block, read }: ProvenMethod): ProvenMethod<ProvenAnswer> => ({
  params,
  block,
  read(given) {
    const answer = read(given);
    return async (view, means) => ({ result: await answer(view, means), assumed: [] });
  },
});

/**
 * @param network by whose name for it `l2_getProof` is answered, too; `eth_getProof` is if L1 may hold block hashes
 * @param more the methods that run contracts, and those about blocks
 */
export function createProvenMethods(
  { method: proofMethod, slots }: Pick<Network, 'method' | 'slots'>,
  more: readonly [string, ProvenMethod<ProvenAnswer>][],
): ProvenMethods {
  const reads: (readonly [string, ProvenMethod])[] = [
    ['eth_getBalance', accountNumber('balance')],
    ['eth_getTransactionCount', accountNumber('nonce')],
    ['eth_getStorageAt', getStorageAt],
    ['eth_getCode', getCode],
    ['eth_blockNumber', blockNumber],
    ...(slots.blockHashes === undefined ? [] : [[trieMethod, getTrieProof(proofMethod)] as const]),
    ['l2_getProof', getProof],
    [proofMethod, getProof],
  ];
  const table = [...reads.map(([name, method]) => [name, plain(method)] as const), ...more];
  return new Map(
    table.map(([name, { params: most, block, absent = [], read }]) => [
      name,
      (given) => {
        const params = readParams(name, given, most);
        return {
          answer: read(params),
          absent,
          block: block === undefined ? 'latest' : readBlockParam(params, block),
        };
      },
    ]),
  );
}
