/** The event definitions, held against the events of the standards and protocols themselves. */
import { readdirSync, readFileSync } from 'node:fs';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import type { ShownEvent } from '../../../../src/decode/definition/definition.js';
import { protocols } from '../../../../src/decode/events/index.js';
import { splitName } from '../../../../src/decode/receipt/text.js';
import { builtInEvents, type Candidate } from '../../../../src/decode/registry/registry.js';

const rows = readFileSync('test/fixtures/events.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('|') as [string, string, string, string, string, string, string]);

/** Rows that have no event because it says nothing beside others; the table does not mark them. */
const noise = ['Sync', 'MetadataUpdate', 'BatchMetadataUpdate', 'NewTTL', 'Initialized'];

const candidates = [...builtInEvents().values()].flat();
const idOf = ({ event }: Candidate) => `${event.signature} ${event.mask}`;

test('topics are the hashes of the signatures', () => {
  expect(rows.length).toBe(157);
  const hashOf = (text: string) => `0x${bytesToHex(keccak_256(utf8ToBytes(text)))}`;
  for (const [signature, , topic] of rows) expect(hashOf(signature), signature).toBe(topic);
  for (const [topic, list] of builtInEvents()) {
    for (const { event } of list) expect(hashOf(event.signature)).toBe(topic);
  }
});

test.each(rows)('%s %s is defined', (signature, mask, topic, name, action, category, gate) => {
  const found = (builtInEvents().get(topic) ?? []).filter(
    ({ event }) => event.signature === signature && event.mask === mask,
  );
  expect(found.length).toBeGreaterThanOrEqual(1);
  const isGated = !gate.startsWith('any');
  const [candidate] = found as [Candidate];
  expect(candidate.definition.isKnown ?? false, 'only known emitters').toBe(isGated);
  const isSilent = name === '' || noise.includes(signature.split('(')[0] as string);
  expect('isSilent' in candidate.definition, 'not shown').toBe(isSilent);
  if (isSilent) return;
  const definition = candidate.definition as ShownEvent;
  expect(nameOf(candidate)).toBe(name);
  if (action === 'Add/Remove Liquidity') {
    expect(definition.action).toMatchObject({
      positive: 'Add Liquidity',
      negative: 'Remove Liquidity',
    });
  } else {
    expect(definition.action).toBe(action);
  }
  expect(definition.category).toBe(category === 'DEX*' ? 'Token' : category);
});

/** The name that a decoded event has. */
function nameOf({ event, definition }: Candidate): string {
  return (definition as ShownEvent).name ?? splitName(event.name);
}

test('no definition is of an event that the table does not have, but for forms without index', () => {
  const known = new Set(rows.map(([signature, mask]) => `${signature} ${mask}`));
  const others = candidates.filter((candidate) => !known.has(idOf(candidate)));
  for (const { event } of others) expect(event.mask).toMatch(/^-+$/);
  expect(others.map(({ event }) => event.signature).sort()).toEqual([
    'AddedOwner(address)',
    'Approval(address,address,uint256)',
    'Approval(address,address,uint256)',
    'DisabledModule(address)',
    'EnabledModule(address)',
    'ExecutionFailure(bytes32,uint256)',
    'ProxyCreation(address,address)',
    'RemovedOwner(address)',
    'Transfer(address,address,uint256)',
    'Transfer(address,address,uint256)',
  ]);
});

test('of two definitions that fit one log, at most one is for any emitter', () => {
  for (const list of builtInEvents().values()) {
    const open = list.filter(
      ({ definition }) => !definition.isKnown && !('standard' in definition),
    );
    const forms = open.map(({ event }) => event.mask.replaceAll('-', '').length);
    expect(new Set(forms).size, list[0]?.event.signature).toBe(forms.length);
  }
});

const shown = candidates.flatMap((candidate) => {
  const { event, definition } = candidate;
  return 'isSilent' in definition ? [] : [[idOf(candidate), event, definition] as const];
});
test.each(shown)(
  '%s names arguments that it has, of types that are shown so',
  (_, event, definition) => {
    const typeOf = (name: string) => {
      const place = event.places.get(name);
      expect(place, name).not.toBeUndefined();
      return event.inputs[place as number]?.type.text as string;
    };
    // Names are what arguments are found by: none twice, none empty.
    expect(event.places.size).toBe(event.inputs.length);
    const formats: Record<string, RegExp> = {
      time: /^uint\d+$/,
      ray: /^uint256$/,
      pips: /^uint24$/,
      length: /^bytes$|\[\]$/,
      revert: /^bytes$/,
      dnsName: /^bytes$/,
      each: /\[\]$/,
      ifFalse: /^bool$/,
    };
    for (const [heading, argument, format] of definition.details ?? []) {
      expect(heading).toMatch(/^\S/);
      const type = typeOf(argument);
      if (format) expect(type).toMatch(formats[format] as RegExp);
    }
    for (const { amount, token, isAllowance } of definition.tokens ?? []) {
      expect(typeOf(amount)).toMatch(isAllowance ? /^uint\d+$/ : /^u?int\d+$/);
      if (typeof token === 'object' && 'argument' in token) {
        expect(typeOf(token.argument)).toBe('address');
      }
    }
    const { nfts, trade = [], action } = definition;
    if (nfts) expect(typeOf(nfts.id)).toMatch(/^uint256(\[\])?$/);
    if (nfts?.amount) expect(typeOf(nfts.amount)).toBe(typeOf(nfts.id));
    for (const { items, recipient } of trade) {
      const type = recipient
        ? '(uint8,address,uint256,uint256)[]'
        : '(uint8,address,uint256,uint256,address)[]';
      expect(typeOf(items)).toBe(type);
      if (recipient) expect(typeOf(recipient)).toBe('address');
    }
    if (typeof action === 'object') expect(typeOf(action.argument)).toMatch(/^int/);
  },
);

test('every file of definitions is named in the index, and every protocol is of a file', async () => {
  const files = readdirSync('src/decode/events').filter((file) => file !== 'index.ts');
  const modules = await Promise.all(
    files.map((file) => import(`../../../../src/decode/events/${file.slice(0, -3)}.ts`)),
  );
  const exported = modules.flatMap((module) => Object.values(module));
  expect(new Set(protocols)).toEqual(new Set(exported));
  expect(protocols.length).toBe(exported.length);
});
