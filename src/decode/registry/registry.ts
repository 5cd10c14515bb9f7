/** Topic -> the events that a log with it may be. */
import { parseAbiItem } from 'viem/utils';
import type { Hex } from '../../bytes.js';
import { type AbiEvent, compileEvent, type EventItem } from '../abi/event.js';
import type { ChainContracts, Roles } from '../definition/chain.js';
import type { EventDefinition, Protocol } from '../definition/definition.js';
import { protocols } from '../events/index.js';

/** A protocol without its events. */
export interface Label {
  readonly name?: string | undefined;
  readonly logo?: string | undefined;
  readonly style?: string | undefined;
  readonly role?: keyof ChainContracts | undefined;
  /** Lower case. */
  readonly addresses: ReadonlySet<string>;
}

/** An event that a log may be. */
export interface Candidate {
  readonly event: AbiEvent;
  readonly definition: EventDefinition;
  readonly label: Label;
  /** Whether it comes from an ABI of the caller's. */
  readonly isUsers: boolean;
}

export type Registry = ReadonlyMap<string, readonly Candidate[]>;

const lowerCase = (addresses: readonly string[] = []): ReadonlySet<string> =>
  new Set(addresses.map((address) => address.toLowerCase()));

/**
 * A copy of plain data without prototypes. A missing member of a definition would be looked up in `Object.prototype`,
 * and a careless merge of JSON elsewhere in the process may have put something there.
 */
export function withoutPrototypes<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutPrototypes) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.create(null);
  for (const [name, member] of Object.entries(value)) copy[name] = withoutPrototypes(member);
  return copy;
}

/** Puts candidates under their topics. */
export function toRegistry(candidates: readonly Candidate[]): Registry {
  const registry = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { topic0 } = candidate.event;
    const others = registry.get(topic0);
    if (others) others.push(candidate);
    else registry.set(topic0, [candidate]);
  }
  return registry;
}

/**
 * Compiles a declaration, for example `event Paused(address account)`.
 *
 * @param structs declarations of the structs that it needs
 * @throws an error of viem's if one is malformed
 */
export function compileDeclaration(
  declaration: string,
  structs: readonly string[] = [],
): AbiEvent | undefined {
  const lines = [declaration, ...structs] as unknown as ['event Paused(address account)'];
  const item = withoutPrototypes(parseAbiItem(lines)) as unknown as EventItem & { type: string };
  return item.type === 'event' ? compileEvent(item) : undefined;
}

function compileProtocol({ events, addresses, ...protocol }: Protocol): Candidate[] {
  const label = Object.assign(withoutPrototypes(protocol), { addresses: lowerCase(addresses) });
  return events.map(withoutPrototypes).map((definition) => {
    // The declarations are ours: a test compiles them all.
    const event = compileDeclaration(definition.event) as AbiEvent;
    return { event, definition, label, isUsers: false };
  });
}

let builtIn: Registry | undefined;

/** The events of `events/`, compiled when they are first asked for. */
export function builtInEvents(): Registry {
  builtIn ??= toRegistry(protocols.flatMap(compileProtocol));
  return builtIn;
}

/** Whether an address is one of the label's own. */
export const isOwn = ({ addresses, role }: Label, emitter: Hex, roles: Roles): boolean =>
  addresses.has(emitter) || (role !== undefined && roles[role].has(emitter));
