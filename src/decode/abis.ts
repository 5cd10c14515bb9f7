/** ABIs of the caller's. */
import { shown } from '../errors.js';
import { createMemberReader, type Source } from '../foreign/members.js';
import { hexText } from '../foreign/values.js';
import { type AbiEvent, compileEvent } from './abiEvent.js';
import type { Parameter } from './abiType.js';
import { DecodeError } from './errors.js';
import {
  builtInEvents,
  type Candidate,
  compileDeclaration,
  type Label,
  type Registry,
  registryOf,
  withoutPrototypes,
} from './registry.js';
import { cleanName, cleanUrl } from './text.js';

/** Checked and compiled ABIs; made by {@link parseAbis}. */
export interface Abis {
  /** How many events they have that the decoder did not know. */
  readonly size: number;
}

/** One ABI of the caller's: a contract's, or a protocol's. */
export interface UserAbi {
  /** Name of the protocol or contract; shown for `addresses` only. */
  readonly name?: string;
  /** URL. */
  readonly logo?: string;
  /** The contracts that are meant; any if not given. */
  readonly addresses?: readonly string[];
  /** Items as a compiler writes them, or human-readable: `event Ping(address indexed from, uint256 count)`. */
  readonly abi: readonly unknown[];
}

/** Most ABIs, and most items, parameters or addresses of one. */
const maxAbis = 10_000;
const maxItems = 10_000;
const maxDepth = 16;
/** Most characters of a declaration, a name or a type. */
const maxTextLength = 4096;

const badAbi = (path: string, reason: string, options: ErrorOptions = {}) =>
  new DecodeError('BAD_ABI', reason, { ...options, path });
const { openObject, openArray, readMember } = createMemberReader(badAbi);

/** The elements of a list. @throws DecodeError */
function readList(value: unknown, at: string): [element: unknown, at: string][] {
  const source = openArray(value, at);
  if (source.length > maxItems) throw badAbi(at, `expected at most ${maxItems} elements`);
  return Array.from({ length: source.length }, (_, i) => [readMember(source, i), `${at}[${i}]`]);
}

function readText(source: Source, name: string): string {
  const text = readMember(source, name);
  if (typeof text === 'string' && text.length <= maxTextLength) return text;
  throw badAbi(`${source.at}.${name}`, 'expected a text');
}

function readParameter(value: unknown, at: string, depth: number): Parameter {
  if (depth > maxDepth) throw badAbi(at, 'expected fewer tuples in one another');
  const source = openObject(value, at);
  const components = readMember(source, 'components');
  return {
    name: typeof readMember(source, 'name') === 'string' ? readText(source, 'name') : '',
    type: readText(source, 'type'),
    indexed: readMember(source, 'indexed') === true,
    components:
      components === undefined
        ? undefined
        : readList(components, `${at}.components`).map(([item, place]) =>
            readParameter(item, place, depth + 1),
          ),
  };
}

/** Compiles a human-readable item; undefined if it is no event. */
function compileText(text: string, at: string): AbiEvent | undefined {
  if (!/^\s*event\s/.test(text) || /\banonymous\b/.test(text)) return undefined;
  if (text.length > maxTextLength) throw badAbi(at, `expected at most ${maxTextLength} characters`);
  let event: AbiEvent | undefined;
  try {
    event = compileDeclaration(text);
  } catch (cause) {
    throw badAbi(at, 'expected an event as Solidity declares it', { cause });
  }
  if (event === undefined) throw badAbi(at, 'expected an event that a log can have');
  return event;
}

/** Compiles an item; undefined if it is no event, or one without a topic to know it by. */
function compileItem(value: unknown, at: string): AbiEvent | undefined {
  if (typeof value === 'string') return compileText(value, at);
  const source = openObject(value, at);
  if (readMember(source, 'type') !== 'event') return undefined;
  if (readMember(source, 'anonymous') === true) return undefined;
  const name = readText(source, 'name');
  if (!/^[a-zA-Z$_][\w$]*$/.test(name)) throw badAbi(`${at}.name`, 'expected a name of Solidity');
  const inputs = readList(readMember(source, 'inputs'), `${at}.inputs`).map(([item, place]) =>
    readParameter(item, place, 0),
  );
  const event = compileEvent({ name, inputs });
  if (event === undefined) throw badAbi(at, 'expected types of the ABI, at most three indexed');
  return event;
}

/** Whether we have a definition of our own for every log that the event may be. */
const isBuiltIn = ({ topic0, mask }: AbiEvent): boolean =>
  (builtInEvents().get(topic0) ?? []).some(
    ({ event, definition }) => event.mask === mask && !definition.isKnown,
  );

function readAddress(value: unknown, at: string): string {
  const address = hexText(value, 20);
  if (address !== undefined) return address;
  throw badAbi(at, 'expected 0x and 40 hex digits');
}

/** All members are named, so that no prototype lends one. */
const noLabel = { name: undefined, logo: undefined, style: undefined, role: undefined };

/** What stands beside the items. */
function readLabel(source: Source): Label {
  const addresses = readMember(source, 'addresses');
  const name = cleanName(readMember(source, 'name') ?? readMember(source, 'contractName'));
  const logo = cleanUrl(readMember(source, 'logo'));
  const list = addresses === undefined ? [] : readList(addresses, `${source.at}.addresses`);
  return {
    ...noLabel,
    name,
    logo,
    addresses: new Set(list.map(([value, at]) => readAddress(value, at))),
  };
}

function compileAbi(value: unknown, at: string): Candidate[] {
  const source = openObject(value, at);
  const isList = Array.isArray(value);
  const label: Label = isList ? { ...noLabel, addresses: new Set() } : readLabel(source);
  const items = isList ? value : readMember(source, 'abi');
  const events = readList(items, isList ? at : `${at}.abi`)
    .map(([item, place]) => compileItem(item, place))
    .filter((event) => event !== undefined);
  const isKnown = label.addresses.size > 0 ? { isKnown: true as const } : {};
  return events.map((event) => ({
    event,
    definition: withoutPrototypes({
      event: event.signature,
      action: 'Update',
      category: 'Others',
      ...isKnown,
    }),
    label,
    isUsers: true,
  }));
}

/** The inside of {@link Abis}, which only this file can make. */
const registries = new WeakMap<Abis, Registry>();
const empty: Registry = new Map();

export function registryOfAbis(abis: Abis | undefined): Registry {
  if (abis === undefined) return empty;
  const registry = registries.get(abis);
  if (registry === undefined) throw new TypeError('"abis" expected a result of parseAbis');
  return registry;
}

/**
 * Checks and compiles ABIs, for example those of a folder of JSON files: each is a list of items, or an object with
 * `abi` and perhaps `name` (or `contractName`), `logo`, `addresses`; see {@link UserAbi}. Items other than events are
 * passed over, and so are events that the decoder knows already.
 *
 * @param files name -> parsed file; the names stand in the messages of errors
 * @throws DecodeError `BAD_ABI` that names the file and what is wrong
 * @throws TypeError if `files` is no object
 */
export function parseAbis(files: Readonly<Record<string, unknown>>): Abis {
  if (typeof files !== 'object' || files === null) {
    throw new TypeError(`"files" expected an object, got ${shown(files)}`);
  }
  const entries = Object.entries(files);
  if (entries.length > maxAbis) throw badAbi('', `expected at most ${maxAbis} ABIs`);
  const candidates = entries
    .flatMap(([name, value]) => compileAbi(value, name))
    .filter(({ event }) => !isBuiltIn(event));
  const abis = Object.freeze({ size: candidates.length });
  registries.set(abis, registryOf(candidates));
  return abis;
}
