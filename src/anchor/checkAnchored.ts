/** An anchor that a caller hands in: fetched, given, kept from an older release, or made by hand. */
import { checkHex, pickMembers } from '../codec/argument.js';
import { shown } from '../errors.js';
import { type AnchoredRoot, checkKind, checkTimeOf, freezeAnchor } from './anchor.js';
import { checkObject, checkTrusted, checkWhole } from './common/argument.js';
import { checkEvidence, checkTime } from './common/evidence.js';
import type { Network } from './common/network.js';

const rootNames = [
  ...(['kind', 'l2ChainId', 'l2BlockNumber', 'stateRoot', 'hash', 'blockHash', 'header'] as const),
  ...(['timestamp'] as const),
  ...(['isNewest', 'implementation', 'l1', 'how', 'consensus'] as const),
] as const;
const l1Names = [
  ...(['chainId', 'blockNumber', 'blockHash'] as const),
  ...(['timestamp', 'proven', 'tag'] as const),
] as const;

const ways: readonly unknown[] = ['proof', 'consensus', 'call', 'quorum', 'given'];
const tags: readonly unknown[] = ['safe', 'latest', undefined];

/** @throws TypeError */
function checkFlag(value: unknown, name: string): asserts value is boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return;
  throw new TypeError(`"${name}" expected true or false, got ${shown(value)}`);
}

/** @throws TypeError */
function checkOne(value: unknown, known: readonly unknown[], name: string): void {
  if (known.includes(value)) return;
  const names = known.filter((one) => one !== undefined).join(', ');
  throw new TypeError(`"${name}" expected one of ${names}, got ${shown(value)}`);
}

/** @throws TypeError or RangeError */
function checkL1(given: AnchoredRoot['l1'], network: Network | undefined, what: string) {
  const l1 = pickMembers(given, l1Names, `${what}.l1`);
  checkWhole(l1.chainId, `${what}.l1.chainId`);
  if (network !== undefined && l1.chainId !== network.l1ChainId) {
    throw new RangeError(`"${what}" expected an anchor of the same network`);
  }
  checkWhole(l1.blockNumber, `${what}.l1.blockNumber`);
  checkTrusted(l1.blockHash, `${what}.l1.blockHash`);
  if (l1.timestamp !== undefined) checkTime(l1.timestamp, `${what}.l1.timestamp`);
  checkFlag(l1.proven, `${what}.l1.proven`);
  checkOne(l1.tag, tags, `${what}.l1.tag`);
  const { chainId, blockNumber, blockHash, timestamp, proven, tag } = l1;
  return { chainId, blockNumber, blockHash, timestamp, proven, tag };
}

/**
 * Checks what rules and times of calls follow from: with a word that no rule knows, an anchor would pass for one of
 * another kind. Whether it is true is for the caller to vouch.
 *
 * @param network undefined if the caller names none: then only the forms are checked
 * @returns a frozen copy of its own members, each read once
 * @throws TypeError or RangeError that names the member
 */
export function checkAnchored(
  given: unknown,
  network: Network | undefined,
  what = 'anchor',
): AnchoredRoot {
  const anchor = pickMembers(given as AnchoredRoot, rootNames, what);
  const { l2ChainId, l2BlockNumber, isNewest, implementation, how, consensus } = anchor;
  checkObject(anchor.l1, `${what}.l1`);
  checkWhole(l2ChainId, `${what}.l2ChainId`);
  if (network !== undefined && l2ChainId !== network.l2ChainId) {
    throw new RangeError(`"${what}" expected an anchor of the same network`);
  }
  if (network !== undefined && anchor.kind !== 'header' && anchor.hash !== network.hash) {
    throw new RangeError(`"${what}.hash" expected ${network.hash}, as the network has it`);
  }
  checkWhole(l2BlockNumber, `${what}.l2BlockNumber`);
  const { time, ...kind } = checkKind(anchor, l2BlockNumber, `${what}.`);
  checkOne(how, ways, `${what}.how`);
  checkFlag(isNewest, `${what}.isNewest`);
  if (implementation !== undefined) checkHex(implementation, 20, `${what}.implementation`);
  const timestamp = checkTimeOf(anchor.timestamp, time, `${what}.timestamp`);
  // Endpoints that are believed prove nothing.
  if (timestamp?.proven === true && (how === 'call' || how === 'quorum')) {
    throw new RangeError(`"${what}.timestamp.proven" expected false beside how: '${how}'`);
  }
  if (consensus !== undefined && how !== 'consensus') {
    throw new RangeError(`"${what}.consensus" expected none beside how: '${how}'`);
  }
  return freezeAnchor({
    ...kind,
    ...{ l2ChainId, l2BlockNumber, timestamp, isNewest, implementation },
    l1: checkL1(anchor.l1, network, what),
    how,
    consensus: consensus === undefined ? undefined : checkEvidence(consensus, `${what}.consensus`),
  });
}
