/** Calls as data, and what they return as values for people. */

import { decodeAbiParameters, encodeAbiParameters, toFunctionSelector } from 'viem/utils';
import type { Hex as Digits } from '../../index.js';
import { type AbiError, type AbiFunction, type Param, signatureOf } from './abi.js';

/** A value for people. */
export interface Shown {
  /** Of the parameter; may be empty. */
  readonly name: string;
  readonly type: string;
  /** `items` has the values of a list; all others are text. */
  readonly kind: 'text' | 'number' | 'address' | 'hex' | 'items';
  readonly text: string;
  readonly items: readonly Shown[];
  /** Values of the list that are left out here. */
  readonly left: number;
}

/** Values that are shown in all, and characters of one. */
const most = { values: 500, text: 10_000 };

/** Without names, all tuples are lists: two members of one name would be one. */
const unnamed = (params: readonly Param[]): Param[] =>
  params.map(({ type, components }) => ({
    name: '',
    type,
    ...(components && { components: unnamed(components) }),
  }));

const kindOf = (type: string): Shown['kind'] => {
  if (type === 'address') return 'address';
  if (type.startsWith('bytes')) return 'hex';
  return /^u?int/.test(type) ? 'number' : 'text';
};

function createShow() {
  let budget = most.values;
  function show(param: Param, value: unknown): Shown {
    const { name, type, components } = param;
    const isList = type.endsWith(']');
    if (!isList && components === undefined) {
      budget--;
      const text = String(value).slice(0, most.text);
      return { name, type, kind: kindOf(type), text, items: [], left: 0 };
    }
    const values = value as readonly unknown[];
    const item = { ...param, name: '', type: type.replace(/\[\d*\]$/, '') };
    const items: Shown[] = [];
    for (const [i, one] of values.entries()) {
      if (budget <= 0) break;
      items.push(show(isList ? item : ((components as readonly Param[])[i] as Param), one));
    }
    return { name, type, kind: 'items', text: '', items, left: values.length - items.length };
  }
  return show;
}

/** @returns undefined if the data has another form, or more in it than such values */
export function showValues(params: readonly Param[], data: Digits): readonly Shown[] | undefined {
  const nameless = unnamed(params);
  try {
    const values = decodeAbiParameters(nameless, data) as readonly unknown[];
    if (encodeAbiParameters(nameless, values as never) !== data) return undefined;
    const show = createShow();
    return params.map((param, i) => show(param, values[i]));
  } catch {
    return undefined;
  }
}

/** @param values one for each input, as `parseArgument` gives them */
export function encodeCall(item: AbiFunction, values: readonly unknown[]): Digits {
  const selector = toFunctionSelector(signatureOf(item));
  return `${selector}${encodeAbiParameters(unnamed(item.inputs), values as never).slice(2)}`;
}

const builtIn: readonly AbiError[] = [
  { name: 'Error', inputs: [{ name: 'reason', type: 'string' }] },
  { name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
];

/** What Solidity's own checks stop a call for. */
const panics: Readonly<Record<string, string>> = {
  '1': 'an assertion does not hold',
  '17': 'a number is too large or too small for its type',
  '18': 'a division by zero',
  '33': 'a value that its enum does not have',
  '34': 'bytes in storage that are malformed',
  '49': 'an empty list has no last value',
  '50': 'an index beyond the end of a list',
  '65': 'too much memory',
  '81': 'a function that was never set',
};

/** Why a call was reverted. */
export interface Reason {
  /** Such as `Error` or the name of the contract's own error. */
  readonly name: string;
  readonly values: readonly Shown[];
  /** What it means, if it is one of Solidity's own. */
  readonly meaning: string | undefined;
}

/** @param errors that the ABI names @returns undefined if it is none of them */
export function showReason(errors: readonly AbiError[], data: Digits): Reason | undefined {
  const selector = data.slice(0, 10);
  for (const error of [...builtIn, ...errors]) {
    if (toFunctionSelector(signatureOf(error)) !== selector) continue;
    const values = showValues(error.inputs, `0x${data.slice(10)}`);
    if (values === undefined) continue;
    const [first] = values;
    const meaning = error.name === 'Panic' && first ? panics[first.text] : undefined;
    return { name: error.name, values, meaning };
  }
  return undefined;
}
