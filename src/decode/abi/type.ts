/** Types of the ABI, compiled from their names. */

/** A parameter as ABIs in JSON have it, checked. */
export interface Parameter {
  readonly name?: string | undefined;
  readonly type: string;
  readonly indexed?: boolean | undefined;
  readonly components?: readonly Parameter[] | undefined;
}

/** How a type is laid out. A word is 32 bytes. */
type Layout =
  | { readonly kind: 'address' | 'bool' }
  /** @param bits of an integer; at most 256 */
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  /** @param digits hex digits that count, from the left */
  | { readonly kind: 'fixedBytes'; readonly digits: number }
  | { readonly kind: 'bytes' | 'string' }
  /** @param length undefined if the data says how many there are */
  | { readonly kind: 'array'; readonly item: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly items: readonly AbiType[] };

export type AbiType = Layout & {
  /** Canonical name, for example `(address,uint256)[]`. */
  readonly text: string;
  /** Names of the members of a tuple, else empty. */
  readonly names: readonly string[];
  /** Whether the head holds an offset, and the value itself lies in the tail. */
  readonly isDynamic: boolean;
  /** Hex digits in the head. */
  readonly headDigits: number;
};

/** Hex digits of a word. */
export const wordDigits = 64;

/** Deepest nesting of arrays and tuples, and longest array of fixed length: far beyond what contracts have. */
const maxDepth = 8;
const maxFixedLength = 1024;

const word = (layout: Layout, text: string): AbiType => ({
  ...layout,
  text,
  names: [],
  isDynamic: false,
  headDigits: wordDigits,
});

const tail = (layout: Layout, text: string): AbiType => ({
  ...layout,
  text,
  names: [],
  isDynamic: true,
  headDigits: wordDigits,
});

/** Digits that values of these types take in the head. */
export const sumHeads = (types: readonly AbiType[]): number =>
  types.reduce((digits, { headDigits }) => digits + headDigits, 0);

function compileArray(parameter: Parameter, match: RegExpExecArray, depth: number) {
  const item = compileType({ ...parameter, type: match[1] as string }, depth + 1);
  const length = match[2] === '' ? undefined : Number(match[2]);
  // An element of no width would let a few bytes stand for a list of any length.
  if (item === undefined || (length !== undefined && !(length >= 1 && length <= maxFixedLength))) {
    return undefined;
  }
  const layout = { kind: 'array', item, length } as const;
  const text = `${item.text}[${length ?? ''}]`;
  if (length === undefined || item.isDynamic) return tail(layout, text);
  return { ...word(layout, text), headDigits: length * item.headDigits };
}

function compileTuple({ components = [] }: Parameter, depth: number): AbiType | undefined {
  const items: AbiType[] = [];
  for (const component of components) {
    const item = compileType(component, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
  }
  if (items.length === 0) return undefined;
  const layout = { kind: 'tuple', items } as const;
  const text = `(${items.map((item) => item.text).join(',')})`;
  const names = components.map(({ name = '' }) => name);
  if (items.some(({ isDynamic }) => isDynamic)) return { ...tail(layout, text), names };
  return { ...word(layout, text), names, headDigits: sumHeads(items) };
}

/** Compiles an elementary type. */
function compileWord(type: string): AbiType | undefined {
  if (type === 'address' || type === 'bool') return word({ kind: type }, type);
  if (type === 'bytes' || type === 'string') return tail({ kind: type }, type);
  // An external function: an address and a selector.
  if (type === 'function') return word({ kind: 'fixedBytes', digits: 48 }, type);
  // The name of `bytes1` in old compilers.
  if (type === 'byte') return compileWord('bytes1');
  const [, kind, size] = /^(uint|int|bytes)([1-9]\d{0,2})?$/.exec(type) ?? [];
  if (kind === 'bytes') {
    const isWidth = size !== undefined && Number(size) <= 32;
    return isWidth ? word({ kind: 'fixedBytes', digits: 2 * Number(size) }, type) : undefined;
  }
  const bits = Number(size ?? 256);
  if (kind === undefined || bits % 8 !== 0 || bits > 256) return undefined;
  return word({ kind: kind as 'uint' | 'int', bits }, `${kind}${bits}`);
}

/** Compiles the type of a parameter; undefined if the ABI has none like it. */
export function compileType(parameter: Parameter, depth = 0): AbiType | undefined {
  if (depth > maxDepth) return undefined;
  const match = /^(.*)\[(\d{0,6})\]$/.exec(parameter.type);
  if (match) return compileArray(parameter, match, depth);
  return parameter.type === 'tuple' ? compileTuple(parameter, depth) : compileWord(parameter.type);
}
