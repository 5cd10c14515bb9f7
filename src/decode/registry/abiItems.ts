/** Items of an ABI of the caller's: its events, compiled. */
import type { Source } from '../../foreign/members.js';
import { type AbiEvent, compileEvent } from '../abi/event.js';
import { badAbi, maxAbiTextLength, openObject, readAbiList, readMember } from '../abi/source.js';
import type { Parameter } from '../abi/type.js';
import { compileDeclaration } from './registry.js';

/** Deepest tuples that are read. */
const maxDepth = 16;
/** Most members of a parameter whose structs are written out. */
const maxMembers = 1024;

/** An event that is left out, and why. */
export interface Skipped {
  readonly at: string;
  readonly reason: string;
}

/** What the items of one ABI come to. */
interface Compiled {
  readonly events: readonly AbiEvent[];
  readonly skipped: readonly Skipped[];
}

/** Types of items that a compiler writes. */
const itemTypes = ['constructor', 'error', 'event', 'fallback', 'function', 'receive'];

/** The beginning of a human-readable item: its keyword, then a name or a parenthesis. */
const itemForm = /^\s*(constructor|error|event|fallback|function|receive|struct)(?=[\s(])/;
const eventForm = /^\s*event\s+[a-zA-Z$_][\w$]*\s*\(.*\)\s*(anonymous)?\s*;?\s*$/s;
const structForm = /^\s*struct\s+([a-zA-Z$_][\w$]*)\s*\{[^{}]*\}\s*;?\s*$/;

/** A struct that a human-readable ABI declares. */
interface Struct {
  readonly at: string;
  readonly text: string;
  /** Members once all structs in it are written out; undefined if it holds itself, or too many. */
  members?: number | undefined;
  isOpen?: boolean;
}

type Structs = ReadonlyMap<string, Struct>;

function readText(source: Source, name: string): string {
  const text = readMember(source, name);
  if (typeof text === 'string' && text.length <= maxAbiTextLength) return text;
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
        : readAbiList(components, `${at}.components`).map(([item, place]) =>
            readParameter(item, place, depth + 1),
          ),
  };
}

/** Names in a declaration; each may be that of a struct. */
const namesIn = (text: string): string[] => text.match(/[a-zA-Z$_][\w$]*/g) ?? [];

/** Members of a declaration once its structs are written out; undefined if they have no end, or are too many. */
function countMembers(text: string, structs: Structs): number | undefined {
  let members = 1;
  for (const name of namesIn(text)) {
    const struct = structs.get(name);
    if (struct === undefined || struct.text === text) continue;
    const inner = membersOf(struct, structs);
    if (inner === undefined) return undefined;
    members += inner;
  }
  const fields = members + text.split(/[,;]/).length;
  return fields <= maxMembers ? fields : undefined;
}

function membersOf(struct: Struct, structs: Structs): number | undefined {
  // One that is being counted holds itself.
  if (struct.isOpen === undefined) {
    struct.isOpen = true;
    struct.members = countMembers(struct.text, structs);
    struct.isOpen = false;
  }
  return struct.isOpen ? undefined : struct.members;
}

/** The structs that a declaration needs, and those that they need. */
function neededBy(text: string, structs: Structs, found = new Set<Struct>()): Set<Struct> {
  for (const name of namesIn(text)) {
    const struct = structs.get(name);
    if (struct === undefined || found.has(struct)) continue;
    found.add(struct);
    neededBy(struct.text, structs, found);
  }
  return found;
}

/** In the only spelling that viem reads: no semicolon at the end, one space between words. */
const spelt = (text: string): string =>
  text
    .trim()
    .replace(/\s*;$/, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(,]) ?/g, '$1')
    .replace(/ \)/g, ')')
    .replace(/ ?\{ ?/, ' { ');

/** Compiles a declaration with its structs; undefined if no log can have such types. */
function tryDeclaration(text: string, structs: Structs): AbiEvent | undefined {
  if (countMembers(text, structs) === undefined) return undefined;
  const needed = [...neededBy(text, structs)].map((struct) => spelt(struct.text));
  try {
    return compileDeclaration(spelt(text), needed);
  } catch {
    // Which of its many errors viem found does not matter: the place is what helps.
    return undefined;
  }
}

/** Why a declaration cannot be compiled: by itself, or for a struct that it needs. */
function reasonOf(text: string, structs: Structs): string {
  for (const struct of neededBy(text, structs)) {
    const [, name] = structForm.exec(struct.text) as RegExpExecArray;
    if (tryDeclaration(`event E(${name} a)`, structs)) continue;
    return `needs the struct of "${struct.at}", whose types the ABI does not have`;
  }
  return 'expected types of the ABI, at most three indexed';
}

/** Compiles a human-readable item. @returns nothing if it is no event, or one without a topic */
function compileText(text: string, at: string, structs: Structs): AbiEvent | Skipped | undefined {
  if (text.length > maxAbiTextLength)
    throw badAbi(at, `expected at most ${maxAbiTextLength} characters`);
  const [, keyword] = itemForm.exec(text) ?? [];
  if (keyword === undefined) {
    throw badAbi(at, 'expected an event, function, error or struct as Solidity declares it');
  }
  if (keyword !== 'event') return undefined;
  const [isEvent, anonymous] = eventForm.exec(text) ?? [];
  if (isEvent === undefined) throw badAbi(at, 'expected an event as Solidity declares it');
  if (anonymous !== undefined) return undefined;
  return tryDeclaration(text, structs) ?? { at, reason: reasonOf(text, structs) };
}

/** The type of an item in JSON. @throws DecodeError if it is none */
function typeOf(item: Source): string {
  const type = readMember(item, 'type');
  if (typeof type === 'string' && itemTypes.includes(type)) return type;
  // Old compilers leave it out of a function.
  const isFunction = typeof readMember(item, 'name') === 'string' && readMember(item, 'inputs');
  if (type === undefined && Array.isArray(isFunction)) return 'function';
  throw badAbi(`${item.at}.type`, `expected one of ${itemTypes.join(', ')}`);
}

function compileItem(value: unknown, at: string): AbiEvent | Skipped | undefined {
  const source = openObject(value, at);
  if (typeOf(source) !== 'event' || readMember(source, 'anonymous') === true) return undefined;
  const name = readText(source, 'name');
  if (!/^[a-zA-Z$_][\w$]*$/.test(name)) throw badAbi(`${at}.name`, 'expected a name of Solidity');
  const inputs = readAbiList(readMember(source, 'inputs'), `${at}.inputs`).map(([item, place]) =>
    readParameter(item, place, 0),
  );
  const event = compileEvent({ name, inputs });
  return event ?? { at, reason: 'expected types of the ABI, at most three indexed' };
}

/** The structs of a human-readable ABI by their names. @throws DecodeError */
function structsIn(items: readonly [item: unknown, at: string][]): Structs {
  const structs = new Map<string, Struct>();
  for (const [text, at] of items) {
    if (typeof text !== 'string' || itemForm.exec(text)?.[1] !== 'struct') continue;
    const name = text.length <= maxAbiTextLength ? structForm.exec(text)?.[1] : undefined;
    if (name === undefined) throw badAbi(at, 'expected a struct as Solidity declares it');
    if (structs.has(name)) throw badAbi(at, 'expected one struct of this name');
    structs.set(name, { at, text });
  }
  return structs;
}

/**
 * Compiles the events of an ABI. Other items are passed over, and so are events without a topic to know them by. An event
 * whose types the ABI does not have is left out.
 *
 * @throws DecodeError `BAD_ABI` if an item is none
 */
export function compileItems(items: readonly [item: unknown, at: string][]): Compiled {
  const structs = structsIn(items);
  const events: AbiEvent[] = [];
  const skipped: Skipped[] = [];
  for (const [item, at] of items) {
    const found = typeof item === 'string' ? compileText(item, at, structs) : compileItem(item, at);
    if (found === undefined) continue;
    if ('reason' in found) skipped.push(found);
    else events.push(found);
  }
  return { events, skipped };
}
