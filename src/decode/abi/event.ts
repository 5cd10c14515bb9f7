/** Events of an ABI, compiled, and logs read by them. */
import { keccak256, stringToBytes } from 'viem/utils';
import type { ReceiptLog } from '../receipt/receipt.js';
import { decodeValues, decodeWord, type Value } from './read.js';
import { type AbiType, compileType, type Parameter } from './type.js';

/** An event as ABIs in JSON have it, checked. */
export interface EventItem {
  readonly name: string;
  readonly inputs: readonly Parameter[];
}

export interface EventInput {
  readonly name: string;
  readonly indexed: boolean;
  readonly type: AbiType;
}

export interface AbiEvent {
  readonly name: string;
  /** For example `Transfer(address,address,uint256)`. */
  readonly signature: string;
  /** Hash of the signature. */
  readonly topic0: string;
  readonly inputs: readonly EventInput[];
  /** Name of an argument -> its place among the inputs. */
  readonly places: ReadonlyMap<string, number>;
  /** The types of what is not indexed, in order. */
  readonly dataTypes: readonly AbiType[];
  /** A letter an input, `i` if it is indexed, else `-`. */
  readonly mask: string;
}

/** A log has at most four topics, and the first is the event's. */
const maxIndexed = 3;

/** Compiles an event; undefined if no log can have these types. */
export function compileEvent({ name, inputs: parameters }: EventItem): AbiEvent | undefined {
  const inputs: EventInput[] = [];
  for (const parameter of parameters) {
    const type = compileType(parameter);
    if (type === undefined) return undefined;
    inputs.push({ name: parameter.name ?? '', indexed: parameter.indexed === true, type });
  }
  const signature = `${name}(${inputs.map(({ type }) => type.text).join(',')})`;
  if (inputs.filter(({ indexed }) => indexed).length > maxIndexed) return undefined;
  return {
    name,
    signature,
    topic0: keccak256(stringToBytes(signature)),
    inputs,
    places: new Map(inputs.map(({ name }, place) => [name, place])),
    dataTypes: inputs.filter(({ indexed }) => !indexed).map(({ type }) => type),
    mask: inputs.map(({ indexed }) => (indexed ? 'i' : '-')).join(''),
  };
}

/** Whether a topic holds the value itself; for longer values it holds the hash. */
export const isWord = ({ kind }: AbiType): boolean =>
  kind !== 'bytes' && kind !== 'string' && kind !== 'array' && kind !== 'tuple';

/**
 * Reads a log by an event, whose topic it has.
 *
 * @returns the values in the order of the inputs, with the hash in place of a value that a topic holds only as its hash;
 *   undefined unless encoding them gives this very log
 */
export function readLog(
  event: AbiEvent,
  { topics, data }: ReceiptLog,
): readonly Value[] | undefined {
  const { inputs, dataTypes } = event;
  if (topics.length - 1 !== inputs.length - dataTypes.length) return undefined;
  const rest = decodeValues(dataTypes, data.slice(2));
  if (rest === undefined) return undefined;
  const values: Value[] = [];
  let topic = 1;
  let next = 0;
  for (const { indexed, type } of inputs) {
    const text = indexed ? topics[topic++] : undefined;
    const indexedValue = text && isWord(type) ? decodeWord(type, text.slice(2)) : text;
    const value = indexed ? indexedValue : rest[next++];
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
