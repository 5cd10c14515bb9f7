/** ABIs of the caller's. */
import { shown } from '../../errors.js';
import type { Source } from '../../foreign/members.js';
import type { AbiEvent } from '../abi/event.js';
import { badAbi, openObject, readAbiAddress, readAbiList, readMember } from '../abi/source.js';
import { cleanName, cleanUrl } from '../receipt/text.js';
import { compileItems, type Skipped } from './abiItems.js';
import {
  builtInEvents,
  type Candidate,
  type Label,
  type Registry,
  toRegistry,
  withoutPrototypes,
} from './registry.js';

/** Checked and compiled ABIs; made by {@link parseAbis}. */
export interface Abis {
  /** How many events they have that the decoder did not know. */
  readonly size: number;
  /**
   * Events that were left out because the ABI has no such types, each with its place and the reason: for example
   * `"old.json[3]" expected types of the ABI, at most three indexed`. All others are used.
   */
  readonly skipped: readonly string[];
}

/** One ABI of the caller's: a contract's, or a protocol's. */
export interface UserAbi {
  /** Name of the protocol or contract; shown for `addresses` only. */
  readonly name?: string;
  /** URL. */
  readonly logo?: string;
  /** The contracts that are meant; any if not given. */
  readonly addresses?: readonly string[];
  /**
   * Items as a compiler writes them, or human-readable: `event Ping(address indexed from, uint256 count)`, with the structs
   * that events need beside them.
   */
  readonly abi: readonly unknown[];
}

/** Most ABIs. */
const maxAbis = 10_000;

/** Whether we have a definition of our own for every log that the event may be. */
const isBuiltIn = ({ topic0, mask }: AbiEvent): boolean =>
  (builtInEvents().get(topic0) ?? []).some(
    ({ event, definition }) => event.mask === mask && !definition.isKnown,
  );

/** All members are named, so that no prototype lends one. */
const noLabel = { name: undefined, logo: undefined, style: undefined, role: undefined };

/** What stands beside the items. */
function readLabel(source: Source): Label {
  const addresses = readMember(source, 'addresses');
  const name = cleanName(readMember(source, 'name') ?? readMember(source, 'contractName'));
  const logo = cleanUrl(readMember(source, 'logo'));
  const list = addresses === undefined ? [] : readAbiList(addresses, `${source.at}.addresses`);
  return {
    ...noLabel,
    name,
    logo,
    addresses: new Set(list.map(([value, at]) => readAbiAddress(value, at))),
  };
}

interface CompiledAbi {
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly Skipped[];
}

function compileAbi(value: unknown, at: string): CompiledAbi {
  const source = openObject(value, at);
  const isList = Array.isArray(value);
  const label: Label = isList ? { ...noLabel, addresses: new Set() } : readLabel(source);
  const items = isList ? value : readMember(source, 'abi');
  const { events, skipped } = compileItems(readAbiList(items, isList ? at : `${at}.abi`));
  const isKnown = label.addresses.size > 0 ? { isKnown: true as const } : {};
  const candidates = events.map((event) => ({
    event,
    definition: withoutPrototypes({
      event: event.signature,
      action: 'Update' as const,
      category: 'Others' as const,
      ...isKnown,
    }),
    label,
    isUsers: true,
  }));
  return { candidates, skipped };
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
 * passed over, and so are events that the decoder knows already. An event whose types the ABI does not have, as some old
 * compilers wrote them, is left out and named in `skipped`.
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
  const compiled = entries.map(([name, value]) => compileAbi(value, name));
  const candidates = compiled
    .flatMap((abi) => abi.candidates)
    .filter(({ event }) => !isBuiltIn(event));
  const skipped = compiled
    .flatMap((abi) => abi.skipped)
    .map(({ at, reason }) => `${JSON.stringify(at)} ${reason}`);
  const abis = Object.freeze({ size: candidates.length, skipped: Object.freeze(skipped) });
  registries.set(abis, toRegistry(candidates));
  return abis;
}
