/**
 * An update: a header that a known committee signed, the final block that it names, and the next committee. The laws are
 * those of `validate_light_client_update` and `process_light_client_update` of the specification, without updates that
 * are forced: a root that L1 has not finalized is no anchor.
 */
import { encodeHex, equalBytes, type Hex, isZero } from '../../bytes.js';
import { ownMembers } from '../../foreign/argument.js';
import { runStepsInTurns, type Steps } from '../../steps.js';
import { createTurns } from '../../turns.js';
import { checkNumberWithin } from './argument.js';
import { refusal } from './errors.js';
import { verifyExecution } from './execution.js';
import type { GeneralizedIndices } from './forks.js';
import { isInTree } from './merkle.js';
import {
  type BeaconNetwork,
  defineBeaconNetwork,
  indicesAt,
  periodAt,
  versionAt,
} from './network.js';
import { parseUpdate } from './parse.js';
import { committeeRoot, headerRoot, signingRoot } from './roots.js';
import { verifySignature } from './signature.js';
import type {
  FinalizedHeader,
  LightClientHeader,
  LightClientStore,
  SyncCommittee,
  Update,
} from './types.js';

/** The values that an update must fit, beside the store. */
export interface UpdateContext {
  /** The network of the store. */
  readonly network: BeaconNetwork;
  /** The slot that it is now, by a clock that is trusted. */
  readonly currentSlot: number;
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined;
}

const isAllZero = (branch: readonly Uint8Array[]): boolean => branch.every((node) => isZero(node));

const isEmptyCommittee = ({ pubkeys, aggregatePubkey }: SyncCommittee): boolean =>
  isZero(aggregatePubkey) && isAllZero(pubkeys);

const isEmptyHeader = ({ beacon, execution }: LightClientHeader): boolean =>
  beacon.slot === 0 &&
  beacon.proposerIndex === 0n &&
  isAllZero([beacon.parentRoot, beacon.stateRoot, beacon.bodyRoot]) &&
  execution.isEmpty &&
  isAllZero(execution.branch);

/** Laws of the slots. */
function checkSlots(
  store: LightClientStore,
  { attested, finalized, signatureSlot }: Update,
  { network, currentSlot }: UpdateContext,
): void {
  const attestedSlot = attested.beacon.slot;
  if (signatureSlot > currentSlot) {
    const reason = `is ${signatureSlot}, after the current slot ${currentSlot}; is the clock right?`;
    throw refusal('FUTURE_SLOT', 'signature_slot', reason);
  }
  if (signatureSlot <= attestedSlot || attestedSlot < finalized.beacon.slot) {
    throw refusal('BAD_ORDER', '', 'the slots of signature and headers are not in order');
  }
  const known = store.finalized.beacon.slot;
  const period = periodAt(network, known);
  const signed = periodAt(network, signatureSlot);
  const last = store.nextCommittee === undefined ? period : period + 1;
  if (signed < period || signed > last) {
    const reason = `is in period ${signed}, whose committee is not known`;
    throw refusal('WRONG_PERIOD', 'signature_slot', reason);
  }
}

/** Whether the update has the committee that the store lacks. */
const bringsNext = (store: LightClientStore, { attested, next }: Update, network: BeaconNetwork) =>
  store.nextCommittee === undefined &&
  next !== undefined &&
  !isAllZero(next.branch) &&
  periodAt(network, attested.beacon.slot) === periodAt(network, store.finalized.beacon.slot);

/** The final header of an update, verified; undefined if it has none. */
function verifyFinality(
  { attested, finalized, finalityBranch, bits }: Update,
  places: GeneralizedIndices,
  network: BeaconNetwork,
): FinalizedHeader | undefined {
  const path = 'finalized_header';
  const { beacon } = finalized;
  const isFinal = !isAllZero(finalityBranch);
  // The block of genesis is named by a root of zeros.
  if ((!isFinal || beacon.slot === 0) && !isEmptyHeader(finalized)) {
    throw refusal('BAD_FINALITY', path, 'expected an empty header');
  }
  if (!isFinal) return undefined;
  const executionBlockHash =
    beacon.slot === 0 ? undefined : verifyExecution(finalized, network, path);
  const root = beacon.slot === 0 ? new Uint8Array(32) : headerRoot(beacon);
  const place = { index: places.finalizedRoot, root: attested.beacon.stateRoot };
  if (!isInTree(root, finalityBranch, place)) {
    throw refusal('BAD_FINALITY', path, 'is not in the state of the attested header');
  }
  const signers = bits.filter((bit) => bit).length;
  return Object.freeze({ beacon, blockRoot: encodeHex(root), executionBlockHash, signers });
}

/** The next committee of an update, verified; undefined if it has none. */
function verifyNext(
  store: LightClientStore,
  { attested, next }: Update,
  places: GeneralizedIndices,
  network: BeaconNetwork,
): SyncCommittee | undefined {
  const path = 'next_sync_committee';
  if (next === undefined) return undefined;
  const { committee, branch } = next;
  if (isAllZero(branch)) {
    if (isEmptyCommittee(committee)) return undefined;
    throw refusal('BAD_COMMITTEE', path, 'has no branch');
  }
  const root = committeeRoot(committee);
  const place = { index: places.nextCommittee, root: attested.beacon.stateRoot };
  if (!isInTree(root, branch, place)) {
    throw refusal('BAD_COMMITTEE', path, 'is not in the state of the attested header');
  }
  const isOfStore =
    periodAt(network, attested.beacon.slot) === periodAt(network, store.finalized.beacon.slot);
  const known = isOfStore ? store.nextCommittee : undefined;
  if (known === undefined) return committee;
  if (!equalBytes(root, committeeRoot(known))) {
    throw refusal('BAD_COMMITTEE', path, 'is another one than the one that is known');
  }
  return known;
}

/** Checks an update from the cheapest law to the dearest, and applies it. */
function* applyingUpdate(
  store: LightClientStore,
  update: Update,
  context: UpdateContext,
): Steps<LightClientStore> {
  const { network } = context;
  const { attested, bits, signature, signatureSlot } = update;
  const signers = bits.filter((bit) => bit).length;
  if (signers === 0) throw refusal('NO_SIGNERS', 'sync_aggregate', 'has no signer');
  checkSlots(store, update, context);
  const isMissing = bringsNext(store, update, network);
  if (attested.beacon.slot <= store.finalized.beacon.slot && !isMissing) {
    throw refusal(
      'NOT_NEWER',
      'attested_header',
      'is no newer than the final header that is known',
    );
  }
  const places = indicesAt(network, attested.beacon.slot);
  verifyExecution(attested, network, 'attested_header');
  const finalized = verifyFinality(update, places, network);
  const next = verifyNext(store, update, places, network);
  yield;

  const period = periodAt(network, store.finalized.beacon.slot);
  const isOfNext = periodAt(network, signatureSlot) !== period;
  // `checkSlots` lets a signature of the next period through only if its committee is known.
  const committee = (isOfNext ? store.nextCommittee : store.currentCommittee) as SyncCommittee;
  const version = versionAt(network, signatureSlot - 1) as Hex;
  const message = signingRoot(network, { root: headerRoot(attested.beacon), version });
  if (!(yield* verifySignature({ committee, bits, message, signature }))) {
    const reason = 'is no signature of the committee over the attested header';
    throw refusal('BAD_SIGNATURE', 'sync_aggregate', reason);
  }

  if (3 * signers < 2 * bits.length || finalized === undefined) return store;
  const isHigher = finalized.beacon.slot > store.finalized.beacon.slot;
  const ofFinalized = periodAt(network, finalized.beacon.slot);
  const fillsNext = isMissing && ofFinalized === periodAt(network, attested.beacon.slot);
  if (!isHigher && !fillsNext) return store;
  const newest = isHigher ? finalized : store.finalized;
  // Without `next` the signature is of the store's period, and so are both headers of an update that comes here.
  if (store.nextCommittee === undefined) {
    return Object.freeze({ ...store, finalized: newest, nextCommittee: next });
  }
  if (ofFinalized === period) return Object.freeze({ ...store, finalized: newest });
  // The attested header is in the period of the final one: the committee that it names serves after that.
  return Object.freeze({
    finalized: newest,
    currentCommittee: store.nextCommittee,
    nextCommittee: next,
  });
}

/**
 * Verifies an update and applies it: at least two thirds of the committee must have signed, and it must be final and bring
 * something. The work is done in pieces, between which others have a turn of the event loop.
 *
 * @param update of unknown origin: `data` of what the beacon API answers for an update, or for one of finality alone
 * @returns what is known then; the same store if the update holds, but moves nothing
 * @throws ConsensusError that names the law that the update breaks
 * @throws the signal's reason once it is aborted
 *
 * @example
 * ```ts
 * import { applyUpdate, beaconNetworks, verifyBootstrap } from 'l2proof/consensus';
 *
 * const api = 'https://beacon.example/eth/v1/beacon/light_client';
 * const ask = async (path: string): Promise<any> => (await fetch(`${api}/${path}`)).json();
 * const network = beaconNetworks.mainnet;
 * const checkpoint = '0xCHECKPOINT'; // the root of a block that you trust
 * const { data } = await ask(`bootstrap/${checkpoint}`);
 * const store = verifyBootstrap(data, { checkpoint, network });
 * const period = Math.floor(store.finalized.beacon.slot / 8192);
 * const [update] = await ask(`updates?start_period=${period}&count=1`);
 * const currentSlot = Math.floor((Date.now() / 1000 - network.genesisTime) / 12);
 * const { finalized } = await applyUpdate(store, update.data, { network, currentSlot });
 * console.log(finalized.beacon.slot, finalized.signers);
 * ```
 */
export async function applyUpdate(
  store: LightClientStore,
  update: unknown,
  context: UpdateContext,
): Promise<LightClientStore> {
  const given = ownMembers(context, ['network', 'currentSlot', 'signal'], 'context');
  const network = defineBeaconNetwork(given.network);
  const currentSlot = checkNumberWithin(
    given.currentSlot,
    'currentSlot',
    0,
    Number.MAX_SAFE_INTEGER,
  );
  const { signal } = given;
  signal?.throwIfAborted();
  const steps = applyingUpdate(store, parseUpdate(update, network), { network, currentSlot });
  return runStepsInTurns(steps, createTurns(() => signal?.throwIfAborted()).tick);
}
