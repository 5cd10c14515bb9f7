/** The calls and checks of single paths and keys. */
import { type Argument, encodeCall } from '../abi/encodeCall.js';
import { encodeHex, type Hex, integerToBytes, isBytes } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit, padLeft } from '../codec/word.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, nodeCount, nodeWidths, siblingLeafPosition } from '../hash/geometry.js';
import type { CalldataCall, CalldataCheck, CalldataCheckName, CalldataValue } from './checks.js';

/** A path as it goes on the wire; nothing of it need be true. */
export interface WirePath {
  readonly leafIndex: bigint;
  /** The 42 nodes. */
  readonly nodes: readonly Uint8Array[];
}

/** The proof that a key exists, or that it does not. */
export type WireKey =
  | { readonly kind: 'existence'; readonly value: Uint8Array; readonly path: WirePath }
  | { readonly kind: 'nonExistence'; readonly left: WirePath; readonly right: WirePath };

/** The statement that the calls show. */
export interface WireStatement {
  readonly spec: TreeSpec;
  readonly stateRoot: Uint8Array;
  readonly address: Uint8Array;
  readonly account: WireKey;
  /** Proofs of the distinct keys; empty if no slot needs a proof of its own. */
  readonly slots: readonly { readonly key: Uint8Array; readonly proof: WireKey }[];
  /** Whether slots are asked that pristine storage proves zero. */
  readonly isPristine: boolean;
}

const verifySignature = 'verifyProof(bytes[],uint256,bytes32)';
/** Places of the arguments of `verifyProof`. */
const [nodesAt, leafIndexAt, rootAt] = [0, 1, 2] as const;

export const constantValue = (value: bigint): CalldataValue => ({
  from: 'constant',
  value: encodeHex(integerToBytes(value, blockWidth)),
});
export const constantBytes = (value: Uint8Array): CalldataValue => ({
  from: 'constant',
  value: encodeHex(value),
});
const result = (call: number): CalldataValue => ({ from: 'result', call });

/** Collects calls, each once, and checks. */
export class Calls {
  readonly calls: CalldataCall[] = [];
  readonly checks: CalldataCheck[] = [];
  readonly #known = new Map<Hex, number>();

  /** Adds a call unless it is there. */
  add(
    signature: string,
    args: readonly Argument[],
    text: string,
  ): { call: number; isNew: boolean } {
    const data = encodeHex(encodeCall(signature, args));
    const known = this.#known.get(data);
    if (known !== undefined) return { call: known, isNew: false };
    const call = this.calls.length;
    this.#known.set(data, call);
    const shown = args.map((argument) => {
      if (typeof argument === 'bigint') return argument;
      return isBytes(argument) ? encodeHex(argument) : argument.map(encodeHex);
    });
    this.calls.push(Object.freeze({ signature, args: Object.freeze(shown), data, text }));
    return { call, isNew: true };
  }

  equal(name: CalldataCheckName, left: CalldataValue, right: CalldataValue, text: string): void {
    this.checks.push({ kind: 'equal', name, left, right, text });
  }

  below(name: CalldataCheckName, left: CalldataValue, right: CalldataValue, text: string): void {
    this.checks.push({ kind: 'below', name, left, right, text });
  }

  canonical(
    { contract: { element } }: TreeSpec,
    {
      call,
      argument,
      start,
      end,
    }: { call: number; argument: number; start: number; end: number | undefined },
    text: string,
  ): void {
    const modulus = encodeHex(integerToBytes(element.modulus, element.width));
    const { width } = element;
    this.checks.push({
      kind: 'canonical',
      name: 'CANONICAL',
      call,
      argument,
      start,
      end,
      width,
      modulus,
      text,
    });
  }
}

/** The fields of a path's leaf opening, and the next free node in its node 0, as a check reads them. */
export function fieldsOf({ contract: { limbs }, integer: { width } }: TreeSpec, call: number) {
  const field = (
    element: number,
    start: number,
    end: number,
    isInteger: boolean,
  ): CalldataValue => ({
    from: 'bytes',
    call,
    argument: nodesAt,
    element,
    start,
    end,
    limbs: limbs && isInteger,
  });
  const leaf = nodeCount - 1;
  return {
    nextFreeNode: field(0, 0, width, true),
    prev: field(leaf, 0, width, true),
    next: field(leaf, width, 2 * width, true),
    hKey: field(leaf, 2 * width, 2 * width + blockWidth, false),
    hValue: field(leaf, 2 * width + blockWidth, 2 * width + 2 * blockWidth, false),
    leafIndex: { from: 'argument', call, argument: leafIndexAt } as CalldataValue,
    root: { from: 'argument', call, argument: rootAt } as CalldataValue,
  };
}

/** Adds the call of one path, and all that is checked of any path. @returns its place */
function addPath(
  calls: Calls,
  spec: TreeSpec,
  { leafIndex, nodes }: WirePath,
  { root, of }: { root: Uint8Array; of: string },
): number {
  const { call, isNew } = calls.add(verifySignature, [nodes, leafIndex, root], `the path of ${of}`);
  if (!isNew) return call;
  const fields = fieldsOf(spec, call);
  const limit = constantValue(indexLimit);
  const here = `calls[${call}]`;
  calls.equal('PATH', result(call), constantValue(1n), `${here} returns true`);
  const top = calls.add(
    spec.contract.hash,
    [nodes[0] as Uint8Array],
    `the root of node 0 of ${here}`,
  );
  calls.equal('TOP_NODE', result(top.call), fields.root, `${here}: node 0 hashes to the root`);
  const { topNode, leafOpening } = spec.widths;
  const bytesOf = (of: number, element: number | undefined): CalldataValue => ({
    ...{ from: 'bytes', call: of, argument: nodesAt, element },
    ...{ start: 0, end: topNode, limbs: false },
  });
  calls.equal(
    'TOP_NODE',
    bytesOf(top.call, undefined),
    bytesOf(call, 0),
    `calls[${top.call}] hashes node 0 of ${here}`,
  );
  const widths = nodeWidths(spec.widths, leafOpening).map((width, i) =>
    i === siblingLeafPosition ? [blockWidth, width] : [width],
  );
  calls.checks.push({
    kind: 'widths',
    name: 'WIDTHS',
    call,
    argument: nodesAt,
    widths,
    text: `${here}: 42 nodes: the first of ${topNode} bytes, 39 of ${innerNodeWidth}, the sibling leaf of ${leafOpening} bytes that are not all zero or of ${blockWidth} zero bytes, the leaf of ${leafOpening}`,
  });
  calls.canonical(
    spec,
    { call, argument: nodesAt, start: 0, end: undefined },
    `${here}: every element of every node is below the modulus`,
  );
  calls.below(
    'INDEX',
    fields.leafIndex,
    fields.nextFreeNode,
    `${here}: the leaf index is below the next free node, the beginning of node 0`,
  );
  calls.below(
    'INDEX',
    fields.nextFreeNode,
    constantValue(indexLimit + 1n),
    `${here}: the next free node is at most 2^40`,
  );
  calls.below('RANGE', fields.prev, limit, `${here}: prev of the leaf is below 2^40`);
  calls.below('RANGE', fields.next, limit, `${here}: next of the leaf is below 2^40`);
  return call;
}

/**
 * Adds the call that hashes the key which the statement is about, and binds it to that key: of any other key everything
 * else may hold as well.
 *
 * @param key as the call takes it
 * @returns its place
 */
export function addKeyHash(
  calls: Calls,
  signature: string,
  key: Uint8Array,
  { of, asked }: { of: string; asked: string },
): number {
  const { call } = calls.add(signature, [key], `hKey of ${of}`);
  const text = `calls[${call}]: the key that is hashed is ${asked}`;
  const at = { call, argument: 0 } as const;
  let given: CalldataValue = { from: 'argument', ...at };
  if (signature.endsWith('(bytes)')) {
    // Longer bytes hash to an hKey that is no key's, which lies between two neighbours like any other.
    const widths = [[blockWidth]];
    calls.checks.push({ kind: 'widths', name: 'STATEMENT', ...at, widths, text: `${text}, alone` });
    const [start, end] = [0, blockWidth];
    given = { from: 'bytes', ...at, element: undefined, start, end, limbs: false };
  }
  calls.equal('STATEMENT', given, constantBytes(padLeft(key)), text);
  return call;
}

/** The root and the hashes that a key is held against. */
interface KeyContext {
  readonly root: Uint8Array;
  /** The call that hashes the key. */
  readonly hKey: number;
  readonly of: string;
  /** Adds the call that hashes a value. */
  readonly addValue: (value: Uint8Array) => number;
}

/** Adds the calls and checks of one key. @returns the calls of its paths, and of its value */
export function addKey(
  calls: Calls,
  spec: TreeSpec,
  proof: WireKey,
  { root, hKey, of, addValue }: KeyContext,
): { paths: readonly number[]; value: number | undefined } {
  const own = result(hKey);
  if (proof.kind === 'existence') {
    const path = addPath(calls, spec, proof.path, { root, of });
    const value = addValue(proof.value);
    const leaf = fieldsOf(spec, path);
    const here = `calls[${path}]`;
    calls.equal('KEY', leaf.hKey, own, `${here}: hKey of the leaf is what calls[${hKey}] returns`);
    calls.equal(
      'VALUE',
      leaf.hValue,
      result(value),
      `${here}: hValue of the leaf is what calls[${value}] returns`,
    );
    calls.below('HEAD_OR_TAIL', constantValue(0n), leaf.hKey, `${here}: the leaf is not the head`);
    calls.below(
      'HEAD_OR_TAIL',
      leaf.hKey,
      constantBytes(spec.tailHKey),
      `${here}: the leaf is not the tail`,
    );
    return { paths: [path], value };
  }
  const left = addPath(calls, spec, proof.left, { root, of: `the left neighbour of ${of}` });
  const right = addPath(calls, spec, proof.right, { root, of: `the right neighbour of ${of}` });
  const [a, b] = [fieldsOf(spec, left), fieldsOf(spec, right)];
  calls.equal(
    'NEIGHBOURS',
    a.next,
    b.leafIndex,
    `next of the leaf of calls[${left}] is the leaf index of calls[${right}]`,
  );
  calls.equal(
    'NEIGHBOURS',
    b.prev,
    a.leafIndex,
    `prev of the leaf of calls[${right}] is the leaf index of calls[${left}]`,
  );
  calls.below(
    'BETWEEN',
    a.hKey,
    own,
    `hKey of the leaf of calls[${left}] is below what calls[${hKey}] returns`,
  );
  calls.below(
    'BETWEEN',
    own,
    b.hKey,
    `hKey of the leaf of calls[${right}] is above what calls[${hKey}] returns`,
  );
  return { paths: [left, right], value: undefined };
}
