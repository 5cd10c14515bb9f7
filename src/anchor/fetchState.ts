/** From two untrusted endpoints to a proven account: the root from L1, the proof from L2. */
import { encodeHex, type Hex } from '../bytes.js';
import { ownOptions, pickMembers } from '../codec/argument.js';
import {
  createStateClient,
  openStateVerifier,
  type ProvenQuestion,
  type StateClient,
  type VerifyState,
} from '../proven/index.js';
import type { ProofForm } from '../rpc/askProof.js';
import { isNotHeld } from '../rpc/errors.js';
import type { Transport } from '../rpc/index.js';
import { createTurns } from '../turns.js';
import { checkClaimQuestion } from '../verify/claim.js';
import type { StateKind, VerifiedState } from '../verify/result.js';
import { type AnchoredRoot, checkKind } from './anchor.js';
import { checkObject, checkWhole } from './common/argument.js';
import { defineNetwork, type Network } from './common/network.js';
import { openRoots, rootAt } from './fetchAnchor.js';
import { tryEarlier } from './hints.js';
import {
  type AnchorOptions,
  type AnchorRequest,
  anchorOptionNames,
  checkAnchorOptions,
  strengtheningNames,
} from './options.js';
import type { RootSource } from './source.js';

/** The question to L2. */
export interface StateQuestion {
  /** 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each, at most 16384; default none. */
  readonly storageKeys?: readonly Hex[] | undefined;
  /** The L2 endpoint that answers proofs. */
  readonly l2: Transport;
  /** Default: as the network's servers call it. */
  readonly method?: string | undefined;
  /** Most slots in one request; default 200. */
  readonly maxSlots?: number | undefined;
  /** Form of the proof to ask L2 for, as the proof client takes it; default `json`. */
  readonly form?: ProofForm | undefined;
}

/** The same with a root that is there already, so that L1 is not asked: many addresses share one verifier. */
export interface AnchoredQuestion extends StateQuestion {
  /** The root that the answer is held against; L1 is not asked. */
  readonly anchor: AnchoredRoot;
  /** The network of the anchor. */
  readonly network: Network;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@link fetchState}: with an `anchor`, or with what {@link fetchAnchor} takes to find one. */
export type StateOptions = (StateQuestion & AnchorOptions) | AnchoredQuestion;

/** The result of {@link fetchState}. */
export interface FetchedState {
  /** The root that the state was held against, and how it was found. */
  readonly anchor: AnchoredRoot;
  /** The proven state; of an anchor of kind `header` without what only the other kind has. */
  readonly state: VerifiedState<StateKind>;
  /** The server's answer, which holds under the anchor: others can verify it too. */
  readonly result: unknown;
}

/** Kept no longer than their anchors. */
const verifiers = new WeakMap<AnchoredRoot, VerifyState>();

/** Shares what was hashed for other accounts. */
function verifierOf(anchor: AnchoredRoot): VerifyState {
  const known = verifiers.get(anchor);
  if (known) return known;
  const verifier = openStateVerifier(anchor);
  // Values that may still change are not remembered.
  if (Object.isFrozen(anchor)) verifiers.set(anchor, verifier);
  return verifier;
}

/** The checked question, and the server to ask. */
interface Asked {
  readonly question: ProvenQuestion;
  readonly server: StateClient;
  readonly signal: AbortSignal | undefined;
}

/** @throws RpcError */
const askServer = (
  { server, question, signal }: Asked,
  block: Parameters<StateClient['ask']>[0],
): Promise<unknown> => server.ask(block, question, signal);

/** @throws the error of the verifier */
async function verified(
  { question, signal }: Asked,
  anchor: AnchoredRoot,
  result: unknown,
): Promise<FetchedState> {
  const { tick } = createTurns(() => signal?.throwIfAborted());
  return { anchor, state: await verifierOf(anchor)(result, question, tick), result };
}

/** @throws RpcError, or the error of the verifier */
const ask = async (asked: Asked, anchor: AnchoredRoot): Promise<FetchedState> =>
  verified(asked, anchor, await askServer(asked, anchor));

/**
 * Most L2 blocks that steps lead back together, some days at 2 s a block. The events of the one
 * endpoint are not proven: together with the L2 server it could leave out all but the oldest, and pass off the state of
 * years ago as the newest.
 */
const maxDistance = 2 ** 18;

/** Steps back until the L2 server holds a block that L1 has a root for. @throws `missing` if it holds none of them */
async function askEarlier(
  asked: Asked,
  source: RootSource,
  request: AnchorRequest,
  { below, missing }: { below: number; missing: unknown },
): Promise<FetchedState> {
  // A server that claims to hold less must not lead behind what was seen before.
  const lowest = Math.max(request.lowest.l2, below - maxDistance);
  const mayBeHeader = request.network.slots.blockHashes !== undefined && request.kind !== 'tree';
  const found = await tryEarlier(source.hints, { ...request, below, lowest }, async (block) => {
    if (mayBeHeader) return ask(asked, await source.rootOf(block));
    // The server first: a block that it does not hold need not be proven.
    const result = await askServer(asked, { kind: 'tree', l2BlockNumber: block });
    return verified(asked, await source.rootOf(block), result);
  });
  if (found) return found;
  throw missing;
}

async function askNewest(
  asked: Asked,
  source: RootSource,
  request: AnchorRequest,
): Promise<FetchedState> {
  const anchor = await rootAt(source, request);
  try {
    return await ask(asked, anchor);
  } catch (missing) {
    if (!isNotHeld(missing) || request.l2BlockNumber !== undefined) throw missing;
    return askEarlier(asked, source, request, { below: anchor.l2BlockNumber, missing });
  }
}

/** A caller that names the root makes no request to L1. @throws TypeError or RangeError */
function checkAnchor(anchor: AnchoredRoot, given: Partial<AnchorOptions>, network: Network): void {
  const other = anchorOptionNames.find(
    (name) => !['network', 'l2', 'signal'].includes(name) && given[name] !== undefined,
  );
  if (other !== undefined) throw new TypeError(`"anchor" or "${other}" expected, not both`);
  checkObject(anchor, 'anchor');
  if (anchor.l2ChainId !== network.l2ChainId) {
    throw new RangeError('"anchor" expected an anchor of the same network');
  }
  checkKind(anchor, checkWhole(anchor.l2BlockNumber, 'anchor.l2BlockNumber'), 'anchor.');
}

const names = [
  'address',
  'storageKeys',
  'l2',
  'method',
  'maxSlots',
  'form',
  'anchor',
  ...anchorOptionNames,
] as const;

/**
 * Reads an account and its slots, proven under a root that L1 has finalized. If the L2 server does not hold the newest
 * such block, earlier ones are tried, at most `maxSteps`, and none that is more than 262,144 L2 blocks older; not if the
 * caller names one.
 *
 * For many addresses, pass the `anchor` of the first answer instead of `l1`: they share what was hashed, and one block.
 *
 * @throws AnchorError, RpcError as {@link fetchAnchor} and the proof client
 * @throws ShapeError or VerificationError if the L2 server's answer does not hold
 * @throws TypeError or RangeError for a wrong option, before any request is sent
 * @throws the signal's reason once it is aborted
 *
 * @example
 * ```ts
 * import { fetchState, networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const { anchor, state } = await fetchState({
 *   address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   network: networks.mainnet,
 * });
 * console.log(state.account?.balance, anchor.l2BlockNumber); // 10000000000000000000035n 28511680
 * ```
 */
export async function fetchState(options: StateOptions): Promise<FetchedState> {
  const given = ownOptions(
    options as StateQuestion & AnchorOptions & AnchoredQuestion,
    names,
    'options',
    ['anchor', ...strengtheningNames],
  );
  const { l2, anchor, signal, maxSlots, form } = given;
  const network = defineNetwork(given.network);
  const { storageKeys: keys = [] } = given;
  const { address, storageKeys } = checkClaimQuestion({
    address: given.address,
    storageKeys: keys,
  });
  const { method = network.method } = given;
  const asked: Asked = {
    question: { address: encodeHex(address), storageKeys: storageKeys.map(encodeHex) },
    server: createStateClient({ transport: l2, method, maxSlots, form }),
    signal,
  };
  if (anchor !== undefined) {
    checkAnchor(anchor, given, network);
    return ask(asked, anchor);
  }
  const request = checkAnchorOptions(pickMembers(given, anchorOptionNames, 'options'));
  return askNewest(asked, await openRoots(request), request);
}
