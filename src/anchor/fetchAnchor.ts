import { RpcError } from '../rpc/index.js';
import { unread } from '../rpc/nodeClient.js';
import { numberText } from '../rpc/transport.js';
import type { AnchoredRoot } from './anchor.js';
import { AnchorError } from './common/errors.js';
import { type Endpoint, openEndpoint, toQuorum } from './endpoint.js';
import { checkL1Chain, type L1Head, notHeld, resolveHead } from './head.js';
import { verifyL1Header } from './header.js';
import { tryEarlier } from './hints.js';
import { type AnchorOptions, type AnchorRequest, checkAnchorOptions } from './options.js';
import {
  type EndSource,
  type FoundEnd,
  openCalledRoots,
  openProvenRoots,
  type RootSource,
  toAnchor,
} from './source.js';
import { findHash, type KnownHash } from './trusted.js';

/** @throws AnchorError `STALE` for a block before that of `after` */
function checkOrder(block: string, number: number, lowest: number): void {
  if (number >= lowest) return;
  throw new AnchorError('STALE', `${block} is before that of "after", ${lowest}`);
}

/** @throws AnchorError `STALE` */
function checkAge(
  { number, timestamp }: Pick<L1Head, 'number' | 'timestamp'>,
  { transports, maxAge, lowest }: AnchorRequest,
): void {
  const block = `L1 block ${numberText(transports, number)}`;
  checkOrder(block, number, lowest.l1);
  const age = Date.now() - 1000 * Number(timestamp);
  if (age <= maxAge) return;
  throw new AnchorError('STALE', `${block} is ${age} ms old: more than "maxAge"`);
}

function partsOf(
  { network, signal, trusted, l1Block, kind }: AnchorRequest,
  { number, hash, timestamp, stateRoot }: L1Head,
) {
  const l1 = {
    chainId: network.l1ChainId,
    blockNumber: number,
    blockHash: hash,
    timestamp,
    proven: trusted !== undefined && trusted.kind !== 'stateRoot' ? true : undefined,
    // Beside a trusted hash it is `finalized`, its default.
    tag: typeof l1Block === 'number' || l1Block === 'finalized' ? undefined : l1Block,
  };
  return { network, l1, l1StateRoot: stateRoot, at: { blockHash: hash }, kind, signal };
}

/** Roots that are believed, not proven: one endpoint gives them, or several agree on them. */
async function openByCall(
  endpoints: readonly Endpoint[],
  request: AnchorRequest,
): Promise<EndSource> {
  const { network, l1Block } = request;
  await Promise.all(endpoints.map((endpoint) => checkL1Chain(endpoint, network)));
  const head = await resolveHead(endpoints, l1Block);
  checkAge(head, request);
  const how = endpoints.length === 1 ? 'call' : 'quorum';
  const parts = { ...partsOf(request, head), how } as const;
  return {
    ...openCalledRoots(toQuorum(endpoints), endpoints[0] as Endpoint, parts),
    // Under the state root that all agree on, the proof of any will do.
    prove: (by) => inTurn(endpoints, (node) => by({ ...parts, node }), request.signal),
  };
}

/** The trusted L1 block, as one endpoint describes it; the state root is trusted in both cases. */
async function trustedHead(
  endpoint: Endpoint,
  { kind, value }: KnownHash,
  { network, l1Block }: AnchorRequest,
): Promise<L1Head> {
  const isHash = kind === 'blockHash';
  if (isHash) {
    const header = await endpoint.block({ blockHash: value }, unread);
    if (header !== null) return { ...verifyL1Header(header, value), hash: value };
  } else {
    const head = await resolveHead([endpoint], l1Block);
    if (head.stateRoot === value) return head;
  }
  // An endpoint of another chain has neither.
  await checkL1Chain(endpoint, network);
  if (isHash) throw notHeld(value);
  const text = `the L1 block ${l1Block} has another state root; is "l1Block" its number?`;
  throw new AnchorError('BAD_PROOF', text);
}

/** Codes of errors that were proven of L1 or of the network: another endpoint cannot do better. */
const provenCodes = ['WRONG_IMPLEMENTATION', 'WRONG_FAMILY', 'NOT_PROVABLE', 'NO_STATE_ROOT'];

/** Whether another endpoint may do better: nothing was proven. */
const isEndpointsFault = (error: unknown): boolean =>
  error instanceof RpcError || (error instanceof AnchorError && !provenCodes.includes(error.code));

/** Asks the endpoints one after the other until one succeeds. @throws the error of the first one */
async function inTurn<E, T>(
  each: readonly E[],
  work: (one: E) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const failures: unknown[] = [];
  for (const one of each) {
    try {
      return await work(one);
    } catch (error) {
      signal?.throwIfAborted();
      if (!isEndpointsFault(error)) throw error;
      failures.push(error);
    }
  }
  throw failures[0];
}

/**
 * The root by the first endpoint that also proves the time of its block. If the newest finalization comes without a time,
 * the words of the event did not hash to slot 447: the endpoint lied, or has no events, and the next one is asked. The
 * root is proven all the same, so it is accepted if no endpoint does better.
 */
async function timedEnd(
  sources: readonly (() => Promise<EndSource>)[],
  l2BlockNumber: number | undefined,
  signal: AbortSignal | undefined,
): Promise<FoundEnd> {
  let untimed: FoundEnd | undefined;
  // A header has the time itself.
  const isDone = ({ end, timestamp, isNewest }: FoundEnd) =>
    end.kind === 'header' || timestamp !== undefined || !isNewest;
  try {
    return await inTurn(
      sources,
      async (source) => {
        const found = await (await source()).endOf(l2BlockNumber);
        if (isDone(found)) return found;
        untimed ??= found;
        throw new AnchorError('BAD_PROOF', 'the endpoint proves no time of the L2 block');
      },
      signal,
    );
  } catch (error) {
    signal?.throwIfAborted();
    // A failure afterwards, even of the caller's own transport, does not affect the root that was proven.
    if (untimed) return untimed;
    throw error;
  }
}

/** Roots that are proven by the hash or state root of L1 that the caller trusts. */
async function openByProof(
  endpoints: readonly Endpoint[],
  trusted: KnownHash,
  request: AnchorRequest,
): Promise<EndSource> {
  const { signal } = request;
  const { origin } = trusted;
  async function open(endpoint: Endpoint): Promise<EndSource> {
    const head = await trustedHead(endpoint, trusted, request);
    checkAge(head, request);
    return openProvenRoots(endpoint, { ...partsOf(request, head), origin });
  }
  // Each by its own description of the block: beside a state root, the rest of it is not proven.
  const sources = endpoints.map((endpoint) => {
    let source: Promise<EndSource> | undefined;
    return () => {
      source ??= open(endpoint);
      return source;
    };
  });
  const { hints, l1 } = await inTurn(sources, (source) => source(), signal);
  return {
    ...{ hints, l1, how: origin.how },
    endOf: (l2BlockNumber) => timedEnd(sources, l2BlockNumber, signal),
    prove: (by) => inTurn(sources, async (source) => (await source()).prove(by), signal),
  };
}

/** Chooses the L1 block, and how roots are read there. @throws AnchorError, RpcError */
export async function openRoots(request: AnchorRequest): Promise<RootSource> {
  const { transports, trusted, signal } = request;
  const isOne = transports.length === 1;
  const endpoints = transports.map((transport, i) =>
    openEndpoint(transport, isOne ? undefined : i + 1, signal),
  );
  const source =
    trusted === undefined
      ? await openByCall(endpoints, request)
      : await openByProof(endpoints, await findHash(trusted, signal), request);
  // Afterwards: what the L2 endpoint fails at, no other L1 endpoint does better.
  const rootOf = async (l2BlockNumber: number | undefined) =>
    toAnchor(await source.endOf(l2BlockNumber), request);
  return { ...source, rootOf };
}

/** The last root that L1 has of a block below another one, by its events; undefined if they name none. */
const lastRoot = (source: RootSource, below: number, request: AnchorRequest) =>
  tryEarlier(source.hints, { ...request, below, lowest: request.lowest.l2 }, source.rootOf);

/** The error with the last block that has a root, if the events name one. */
async function nameLastRoot(
  error: AnchorError,
  source: RootSource,
  request: AnchorRequest,
): Promise<AnchorError> {
  const last = await lastRoot(source, Number.MAX_SAFE_INTEGER, request).catch(() => undefined);
  request.signal?.throwIfAborted();
  if (last === undefined) return error;
  const text = `${error.reason}. The last one with a root is ${last.l2BlockNumber}`;
  return new AnchorError('NO_STATE_ROOT', text, { cause: error });
}

/** The root of the last finalization that ended before a block. @throws AnchorError, RpcError */
async function rootBefore(
  source: RootSource,
  before: number,
  request: AnchorRequest,
): Promise<AnchoredRoot> {
  const last = await lastRoot(source, before, request);
  if (last) return last;
  throw new AnchorError(
    'NOT_PROVABLE',
    `no finalization is known that ended before L2 block ${before}`,
  );
}

/** The root that is wanted. @throws AnchorError, RpcError */
export async function rootAt(source: RootSource, request: AnchorRequest): Promise<AnchoredRoot> {
  const { l2BlockNumber: wanted, before, lowest } = request;
  if (before !== undefined) return rootBefore(source, before, request);
  let anchor: AnchoredRoot;
  try {
    anchor = await source.rootOf(wanted);
  } catch (error) {
    const isBlockHashes = error instanceof AnchorError && error.code === 'NO_STATE_ROOT';
    throw isBlockHashes ? await nameLastRoot(error, source, request) : error;
  }
  // L1 never takes a finalization back: the number belongs to another block.
  if (wanted === undefined) {
    const block = `L2 block ${numberText(request.transports, anchor.l2BlockNumber)}`;
    checkOrder(block, anchor.l2BlockNumber, lowest.l2);
  }
  return anchor;
}

/**
 * Fetches a root that L1 has finalized. With `trusted` it is proven, and the endpoints need no trust; else several
 * endpoints must agree, or one is believed. The L1 block is named once, and everything is read at its hash.
 *
 * @returns the root, frozen; `how` says who is trusted
 * @throws AnchorError, each code of which says what to do
 * @throws RpcError if an endpoint did not answer
 * @throws TypeError or RangeError for a wrong option, before any request is sent
 * @throws the signal's reason once it is aborted
 *
 * @example
 * ```ts
 * import { fetchAnchor, networks } from 'l2proof/anchor';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const anchor = await fetchAnchor({
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 *   trusted: { blockHash: '0xL1_BLOCK_HASH' }, // or a light client; without it, l1 is believed
 * });
 * console.log(anchor.l2BlockNumber, anchor.how); // 28511680 proof
 * ```
 */
export async function fetchAnchor(options: AnchorOptions): Promise<AnchoredRoot> {
  const request = checkAnchorOptions(options);
  return rootAt(await openRoots(request), request);
}
