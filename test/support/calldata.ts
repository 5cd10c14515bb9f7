/** What calldata comes to: its checks held against what the calls returned, and calls made of results that prove nothing. */

import { Buffer } from 'node:buffer';
import type { WireKey, WirePath, WireStatement } from '../../src/compact/calls.js';
import type { Calldata, CalldataValue } from '../../src/compact/index.js';
import { fromHex } from './hex.js';
import type { Wire } from './runs.js';

/** The word that a call returned, without `0x`; undefined if it reverted. */
export type Returned = string | undefined;

/** Digits of an argument of a call, or of one of its elements. */
function argumentOf(
  { calls }: Calldata,
  { call, argument, element }: { call: number; argument: number; element?: number | undefined },
): string | undefined {
  const value = calls[call]?.args[argument];
  const one = Array.isArray(value) ? value[element ?? -1] : value;
  return typeof one === 'bigint' ? one.toString(16).padStart(64, '0') : one?.slice(2);
}

/** The number that a check compares; undefined if there is none. */
function numberOf(
  calldata: Calldata,
  returned: readonly Returned[],
  value: CalldataValue,
): bigint | undefined {
  let digits: string | undefined;
  if (value.from === 'constant') digits = value.value.slice(2);
  else if (value.from === 'result') digits = returned[value.call];
  else digits = argumentOf(calldata, { element: undefined, ...value });
  if (digits === undefined) return undefined;
  if (value.from === 'bytes') {
    if (digits.length < 2 * value.end) return undefined;
    digits = digits.slice(2 * value.start, 2 * value.end);
    if (value.limbs) {
      const limbs = digits.match(/.{8}/g) ?? [];
      if (!limbs.every((limb) => limb.startsWith('0000'))) return undefined;
      digits = limbs.map((limb) => limb.slice(4)).join('');
    }
  }
  return BigInt(`0x${digits}`);
}

/** Whether a check holds. */
function holds(
  calldata: Calldata,
  returned: readonly Returned[],
  check: Calldata['checks'][number],
): boolean {
  if (check.kind === 'equal' || check.kind === 'below') {
    const left = numberOf(calldata, returned, check.left);
    const right = numberOf(calldata, returned, check.right);
    if (left === undefined || right === undefined) return false;
    return check.kind === 'equal' ? left === right : left < right;
  }
  const { call, argument } = check;
  const value = calldata.calls[call]?.args[argument];
  if (value === undefined) return false;
  const elements = (Array.isArray(value) ? value : [value]).map((each) => String(each).slice(2));
  if (check.kind === 'widths') {
    return (
      elements.length === check.widths.length &&
      elements.every((element, i) => {
        const widths = check.widths[i] as readonly number[];
        if (!widths.includes(element.length / 2)) return false;
        const isSmaller = element.length / 2 === Math.min(...widths);
        return widths.length === 1 || /^0*$/.test(element) === isSmaller;
      })
    );
  }
  const { start, end, width, modulus } = check;
  return elements.every((element) =>
    (
      element.slice(2 * start, end && 2 * end).match(new RegExp(`.{1,${2 * width}}`, 'g')) ?? []
    ).every((one) => BigInt(`0x${one}`) < BigInt(modulus)),
  );
}

/** Names of the checks that fail, each once. */
export function failedChecks(calldata: Calldata, returned: readonly Returned[]): string[] {
  const failed = calldata.checks.filter((check) => !holds(calldata, returned, check));
  return [...new Set(failed.map(({ name }) => name))];
}

class NoCalls extends Error {}

function must(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new NoCalls(reason);
}

function bytesOf(value: unknown, at: string): Uint8Array {
  must(typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value), `${at} is no hex`);
  return Uint8Array.from(Buffer.from(value.slice(2), 'hex'));
}

function pathOf(index: unknown, proof: Wire): WirePath {
  must(Number.isSafeInteger(index) && (index as number) >= 0, 'a leaf index is no index');
  const nodes = proof?.proofRelatedNodes;
  must(Array.isArray(nodes), 'there are no nodes');
  return {
    leafIndex: BigInt(index as number),
    nodes: nodes.map((node) => bytesOf(node, 'a node')),
  };
}

function keyOf(entry: Wire): WireKey {
  const members = [
    'leafIndex',
    'proof',
    'leftLeafIndex',
    'leftProof',
    'rightLeafIndex',
    'rightProof',
  ];
  const given = members.filter((name) => entry?.[name] !== undefined).join();
  if (given === 'leafIndex,proof') {
    return {
      kind: 'existence',
      value: bytesOf(entry.proof.value, 'a value'),
      path: pathOf(entry.leafIndex, entry.proof),
    };
  }
  must(
    given === 'leftLeafIndex,leftProof,rightLeafIndex,rightProof',
    'it is neither kind of proof',
  );
  return {
    kind: 'nonExistence',
    left: pathOf(entry.leftLeafIndex, entry.leftProof),
    right: pathOf(entry.rightLeafIndex, entry.rightProof),
  };
}

/**
 * The calls' statement from a result as it is, true or not.
 *
 * @returns why there are no such calls, if the wire form shows it: labels and counts of entries are in no calldata
 */
export function rawStatement(
  spec: WireStatement['spec'],
  result: Wire,
  claim: { stateRoot: string; address: string; storageKeys?: readonly string[] },
): WireStatement | string {
  try {
    const { storageKeys = [] } = claim;
    const account = keyOf(result?.accountProof);
    const label = (entry: Wire) => String(entry?.key).toLowerCase();
    must(
      label(result.accountProof) === claim.address.toLowerCase(),
      'the account is labelled otherwise',
    );
    const entries = result.storageProofs;
    must(Array.isArray(entries), 'there are no entries');
    must(
      entries.length === 0 || entries.length === storageKeys.length,
      'there are not so many entries',
    );
    const storageRoot = account.kind === 'existence' ? account.value.subarray(64, 96) : undefined;
    const isEmpty = storageRoot === undefined || Buffer.compare(storageRoot, spec.emptyRoot) === 0;
    must(isEmpty || (entries.length === storageKeys.length && !entries.includes(null)), 'withheld');
    const slots = isEmpty
      ? []
      : storageKeys.map((key, i) => {
          must(label(entries[i]) === key.toLowerCase(), 'an entry is labelled otherwise');
          return { key: fromHex(key), proof: keyOf(entries[i]) };
        });
    return {
      spec,
      stateRoot: fromHex(claim.stateRoot),
      address: fromHex(claim.address),
      account,
      slots,
      isPristine: storageRoot !== undefined && storageKeys.length > 0 && isEmpty,
    };
  } catch (error) {
    if (error instanceof NoCalls) return error.message;
    throw error;
  }
}
