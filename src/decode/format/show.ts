/** Values as a person reads them. */
import { getAddress } from 'viem/utils';
import { type EventInput, isWord } from '../abi/event.js';
import { decodeUtf8, decodeValues, type Value } from '../abi/read.js';
import { type AbiType, compileType } from '../abi/type.js';
import type { Format } from '../definition/definition.js';
import type { EventDetail } from '../definition/types.js';
import { maxListed, maxShownBytes } from '../receipt/limits.js';
import { cleanText } from '../receipt/text.js';

type Shown = Pick<EventDetail, 'value' | 'type'>;

const asText = (value: string): Shown => ({ value, type: 'text' });

/** An address of a log, with its checksum. */
export const showAddress = (address: string): string => getAddress(address);

/** Bytes of any number, `0x` and hex. */
function showBytes(bytes: string): string {
  const length = (bytes.length - 2) / 2;
  return length <= maxShownBytes ? bytes : `${length} bytes`;
}

/** A list; how many elements are left out is said. */
function showList(values: readonly Value[], typeAt: (i: number) => AbiType): string {
  const shown = values.slice(0, maxListed).map((value, i) => showValue(typeAt(i), value).value);
  const more = values.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A value of any type. */
function showValue(type: AbiType, value: Value): Shown {
  switch (type.kind) {
    case 'address':
      return { value: showAddress(value as string), type: 'address' };
    case 'bool':
      return asText(value ? 'Yes' : 'No');
    case 'fixedBytes':
      // A word is a hash, mostly, and an explorer links it.
      return { value: value as string, type: type.text === 'bytes32' ? 'address' : 'text' };
    case 'bytes':
      return asText(showBytes(value as string));
    case 'string':
      return asText(cleanText(value as string));
    case 'array':
      return asText(`[${showList(value as readonly Value[], () => type.item)}]`);
    case 'tuple':
      return asText(`(${showList(value as readonly Value[], (i) => type.items[i] as AbiType)})`);
    default:
      return asText(String(value));
  }
}

/** An argument of an event. If it is indexed and of variable length, the log holds its hash alone. */
export function showArgument(
  { type, indexed }: Pick<EventInput, 'type' | 'indexed'>,
  value: Value,
): Shown {
  if (indexed && !isWord(type)) return { value: value as string, type: 'address' };
  return showValue(type, value);
}

/** The last second that a Date holds. */
const maxSeconds = 8_640_000_000_000n;

/** Seconds since 1970 as ISO 8601; what is no date any more stays a number. */
export const showTime = (seconds: bigint): string =>
  seconds <= maxSeconds ? new Date(Number(seconds) * 1000).toISOString() : String(seconds);

/** Percent from ten thousandths of a percent. */
function showPercent(parts: bigint): string {
  const fraction = String(parts % 10_000n)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${parts / 10_000n}${fraction && '.'}${fraction}%`;
}

const text = compileType({ type: 'string' }) as AbiType;
const number = compileType({ type: 'uint256' }) as AbiType;

/** The data that a failed call returned. */
function showRevert(bytes: string): string {
  const [selector, data] = [bytes.slice(0, 10), bytes.slice(10)];
  // Error(string) and Panic(uint256), which compilers write.
  if (selector === '0x08c379a0') {
    const [reason] = decodeValues([text], data) ?? [];
    if (reason !== undefined) return cleanText(reason as string);
  }
  if (selector === '0x4e487b71') {
    const [code] = decodeValues([number], data) ?? [];
    if (code !== undefined) return `Panic(0x${(code as bigint).toString(16).padStart(2, '0')})`;
  }
  return showBytes(bytes);
}

/** A domain name as DNS encodes it: labels behind their lengths, and an empty one at the end. */
function showDnsName(bytes: string): string {
  const labels: string[] = [];
  let at = 2;
  for (;;) {
    const length = Number.parseInt(bytes.slice(at, at + 2), 16);
    const end = at + 2 + 2 * length;
    if (length === 0 && end === bytes.length) return cleanText(labels.join('.'));
    // NaN at the end of the bytes; a length above 63 is no label.
    const label = length >= 1 && length <= 63 && decodeUtf8(bytes.slice(at + 2, end));
    // A dot inside a label would make it look like two.
    if (!label || label.includes('.')) return showBytes(bytes);
    labels.push(label);
    at = end;
  }
}

/** A value by its format; several for a list of which each element is shown, none if it is left out. */
export function showFormatted(type: AbiType, value: Value, format: Format | undefined): Shown[] {
  switch (format) {
    case 'time':
      return [asText(showTime(value as bigint))];
    case 'ray':
      return [asText(showPercent((value as bigint) / 10n ** 21n))];
    case 'pips':
      return [asText(showPercent(value as bigint))];
    case 'length': {
      const list = value as string | readonly Value[];
      return [asText(String(typeof list === 'string' ? (list.length - 2) / 2 : list.length))];
    }
    case 'revert':
      return [asText(showRevert(value as string))];
    case 'dnsName':
      return [asText(showDnsName(value as string))];
    case 'each':
      return showEach(type, value as readonly Value[]);
    case 'ifFalse':
      return value === false ? [showValue(type, value)] : [];
    default:
      return [showValue(type, value)];
  }
}

function showEach(type: AbiType, values: readonly Value[]): Shown[] {
  const { item } = type as Extract<AbiType, { kind: 'array' }>;
  const shown = values.slice(0, maxListed).map((value) => showValue(item, value));
  const more = values.length - shown.length;
  return more > 0 ? [...shown, asText(`${more} more`)] : shown;
}
