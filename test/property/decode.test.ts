/**
 * The reader of ABI data, held against viem: what it reads is what viem decodes, and encodes to the same bytes; what it
 * refuses, viem refuses too, or encodes to other bytes.
 */

import fc from 'fast-check';
import {
  type AbiEvent,
  type AbiParameter,
  decodeAbiParameters,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbiItem,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { decodeValues, type Value } from '../../src/decode/abi/read.js';
import { type AbiType, compileType } from '../../src/decode/abi/type.js';
import { createContext } from '../../src/decode/context/decodeContext.js';
import { matchLog } from '../../src/decode/context/match.js';
import { decodeTransaction, missingMetadata, parseAbis } from '../../src/decode/index.js';
import { readReceipt } from '../../src/decode/receipt/receipt.js';
import { builtInEvents, type Candidate } from '../../src/decode/registry/registry.js';
import { addressOf, chain, receiptOf, transactionOf, type WireLog } from '../support/logs.js';
import type { Wire } from '../support/runs.js';
import { runsOf } from '../support/runs.js';

const hexOf = (bytes: fc.Arbitrary<Uint8Array>) =>
  bytes.map((each): Hex => `0x${Buffer.from(each).toString('hex')}`);
const bytesOf = (width: number) => hexOf(fc.uint8Array({ minLength: width, maxLength: width }));

/** A value of a type, as viem takes it: any of its range, its ends more often. */
function valueOf(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const { type } = parameter;
  const [, item, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (item !== undefined) {
    const size = length
      ? { minLength: Number(length), maxLength: Number(length) }
      : { maxLength: 4 };
    return fc.array(valueOf({ ...parameter, type: item }), size);
  }
  if (type === 'tuple') {
    const { components } = parameter as { components: readonly AbiParameter[] };
    return fc
      .tuple(...components.map(valueOf))
      .map((values) =>
        components.every(({ name }) => name)
          ? Object.fromEntries(components.map(({ name }, i) => [name, values[i]]))
          : values,
      );
  }
  if (type === 'address') return fc.oneof(bytesOf(20), fc.constant(addressOf('0')));
  if (type === 'bool') return fc.boolean();
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 70 });
  if (type === 'bytes') return hexOf(fc.uint8Array({ maxLength: 70 }));
  if (type.startsWith('bytes')) return bytesOf(Number(type.slice(5)));
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) as unknown as [string, string, string];
  const top = 2n ** BigInt(bits);
  const [min, max] = sign ? [0n, top - 1n] : [-top / 2n, top / 2n - 1n];
  const value = fc.oneof(
    { arbitrary: fc.bigInt({ min, max }), weight: 3 },
    fc.constantFrom(min, max, 0n, 1n),
  );
  return Number(bits) > 48 ? value : value.map(Number);
}

/** A value of viem's as the reader has it. */
function plain(parameter: AbiParameter, value: Wire): Value {
  const { type } = parameter;
  const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? [];
  if (item !== undefined)
    return value.map((each: Wire) => plain({ ...parameter, type: item }, each));
  if (type === 'tuple') {
    const { components } = parameter as { components: readonly AbiParameter[] };
    return components.map((component, i) =>
      plain(component, Array.isArray(value) ? value[i] : value[component.name as string]),
    );
  }
  if (typeof value === 'number') return BigInt(value);
  return type === 'string' || typeof value !== 'string' ? value : value.toLowerCase();
}

/** Whether data are what viem's encoder makes of the values that its decoder reads. */
function isEncoded(parameters: readonly AbiParameter[], data: Hex): boolean {
  try {
    return encodeAbiParameters(parameters, decodeAbiParameters(parameters, data)) === data;
  } catch {
    return false;
  }
}

const elementary = fc.oneof(
  fc.constantFrom('address', 'bool', 'string', 'bytes', 'bytes32', 'uint256', 'int256'),
  fc.integer({ min: 1, max: 32 }).map((width) => `bytes${width}`),
  fc
    .tuple(fc.constantFrom('', 'u'), fc.integer({ min: 1, max: 32 }))
    .map(([sign, width]) => `${sign}int${8 * width}`),
);

/** A type of the ABI; tuples without names, of which viem makes lists. */
const { parameter: anyParameter } = fc.letrec<{ parameter: AbiParameter }>((tie) => ({
  parameter: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'type' },
    elementary.map((type) => ({ type })),
    fc.tuple(tie('parameter'), fc.constantFrom('[]', '[1]', '[3]')).map(([inner, suffix]) => ({
      ...inner,
      type: `${inner.type}${suffix}`,
    })),
    fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }).map((components) => ({
      type: 'tuple',
      components,
    })),
  ),
}));

const encoded = fc
  .array(anyParameter, { minLength: 1, maxLength: 3 })
  .chain((parameters) => fc.tuple(fc.constant(parameters), fc.tuple(...parameters.map(valueOf))));

const compile = (parameters: readonly AbiParameter[]) =>
  parameters.map((parameter) => compileType(parameter as never) as AbiType);

const numRuns = 5 * runsOf().numRuns;

/** Words that lie in wait: offsets, lengths, dirt, bytes that are no text. */
const word = fc.oneof(
  fc.integer({ min: 0, max: 12 }).map((n) => (32 * n).toString(16).padStart(64, '0')),
  fc.integer({ min: 0, max: 40 }).map((n) => n.toString(16).padStart(64, '0')),
  fc.constantFrom('0'.repeat(64), 'f'.repeat(64), `${'0'.repeat(24)}${'a'.repeat(40)}`),
  fc.constantFrom(`01${'0'.repeat(62)}`, `${'0'.repeat(16)}1${'0'.repeat(47)}`, 'c3'.repeat(32)),
  bytesOf(32).map((hex) => hex.slice(2)),
);

/** Data that differ: cut, longer, with other words or digits. */
const damage = fc.oneof(
  fc.nat().map((at) => (data: string) => data.slice(0, at % (data.length + 1))),
  fc.nat().map((at) => (data: string) => data.slice(0, 64 * (at % (data.length / 64 + 1)))),
  word.map((more) => (data: string) => data + more),
  fc.tuple(fc.nat(), word).map(([at, other]) => (data: string) => {
    const start = 64 * (at % (data.length / 64));
    return data.slice(0, start) + other + data.slice(start + 64);
  }),
  fc.tuple(fc.nat(), fc.constantFrom(...'01f')).map(([at, digit]) => (data: string) => {
    const start = at % data.length;
    return data.slice(0, start) + digit + data.slice(start + 1);
  }),
);

describe('values of any types', () => {
  test('are read as viem encodes them', () => {
    fc.assert(
      fc.property(encoded, ([parameters, values]) => {
        const data = encodeAbiParameters(parameters, values);
        const read = decodeValues(compile(parameters), data.slice(2));
        expect(read).toEqual(parameters.map((parameter, i) => plain(parameter, values[i])));
      }),
      { numRuns },
    );
  });

  test('are refused in data that no encoder makes, and in no others', () => {
    let refused = 0;
    fc.assert(
      fc.property(encoded, fc.array(damage, { minLength: 1, maxLength: 2 }), (pair, damages) => {
        const [parameters, values] = pair;
        const whole = encodeAbiParameters(parameters, values).slice(2);
        const data = damages.reduce((rest, change) => (rest === '' ? rest : change(rest)), whole);
        // viem reads half a byte as a whole one, and drops a mark of byte order, which is text like any other.
        if (data.length % 2 !== 0 || data.includes('efbbbf')) return;
        const read = decodeValues(compile(parameters), data);
        expect(read !== undefined).toBe(isEncoded(parameters, `0x${data}`));
        if (read === undefined) refused++;
      }),
      { numRuns: 4 * numRuns },
    );
    expect(refused).toBeGreaterThan(numRuns);
  });

  test('are refused in words that are put together at random, and in no others', () => {
    fc.assert(
      fc.property(
        fc.array(anyParameter, { minLength: 1, maxLength: 3 }),
        fc.array(word, { maxLength: 12 }),
        (parameters, words) => {
          const data = words.join('');
          if (data.includes('efbbbf')) return;
          const read = decodeValues(compile(parameters), data);
          expect(read !== undefined).toBe(isEncoded(parameters, `0x${data}`));
        },
      ),
      { numRuns: 4 * numRuns },
    );
  });

  test('may be a mark of byte order', () => {
    const data = encodeAbiParameters([{ type: 'string' }], ['\ufeffx']).slice(2);
    expect(decodeValues(compile([{ type: 'string' }]), data)).toEqual(['\ufeffx']);
  });

  test.each([
    '',
    'uint',
    'uint0',
    'uint7',
    'uint264',
    'int4096',
    'bytes0',
    'bytes33',
    'fixed',
    'uint8[0]',
    'uint8[-1]',
    'uint8[1025]',
    'uint8[',
    'tuple',
    'tuple[]',
    'uint8[][][][][][][][][][]',
    'constructor',
    'address payable',
  ])('are not of the type %j', (type) => {
    expect(compileType({ type })?.text).toBe(type === 'uint' ? 'uint256' : undefined);
  });

  test('cost no more than their data, whatever lengths and offsets say', () => {
    // A list of 2^20 lists, each of which is the whole again: read as told, it would be read 2^20 times.
    const types = compile([{ type: 'uint256[][]' }]);
    const words = ['20', '100000', ...Array.from({ length: 4096 }, () => '0')];
    const data = words.map((each) => each.padStart(64, '0')).join('');
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) expect(decodeValues(types, data)).toBeUndefined();
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});

/** Every event that there is a definition of, as viem has it. */
const definitions = [...builtInEvents().values()].flat().map((candidate) => ({
  candidate,
  event: parseAbiItem(candidate.definition.event) as AbiEvent,
}));

/** What a trade gives or takes. */
interface TradeItem {
  itemType: number;
}

/** Encodes arguments; hashes stand for those that a topic only has the hash of. */
function encodeLog({ event, args, address }: { event: AbiEvent; args: unknown[]; address: Hex }) {
  const indexed = args.filter((_, i) => event.inputs[i]?.indexed);
  const rest = event.inputs.filter((input) => !input.indexed);
  const data = encodeAbiParameters(
    rest,
    args.filter((_, i) => !event.inputs[i]?.indexed),
  );
  const topics = encodeEventTopics({ abi: [event], args: indexed as never }) as Hex[];
  return { address, topics, data, logIndex: '0x0' as Hex };
}

/** An emitter that is one of those that the event is for. */
function emitterOf({ label, definition }: Candidate): Hex {
  if (!definition.isKnown) return addressOf('c');
  const [first] = label.role ? (chain.contracts[label.role] ?? []) : [];
  return first ?? ([...label.addresses][0] as Hex);
}

const sceneOf = (address: Hex, standards: ('erc721' | 'erc20')[] = []) =>
  createContext({
    chain,
    logs: [],
    tokens: [{ address, standards }],
    pools: undefined,
    prices: undefined,
    abis: undefined,
  });

test.each(definitions.map((each) => [each.event.name, each.candidate.event.mask, each] as const))(
  '%s %s: random values are got back',
  (_, _mask, { candidate, event }) => {
    const address = emitterOf(candidate).toLowerCase() as Hex;
    const isNft = 'standard' in candidate.definition && candidate.definition.standard === 'erc721';
    const scene = sceneOf(address, isNft ? ['erc721'] : []);
    fc.assert(
      fc.property(fc.tuple(...event.inputs.map(valueOf)), (args) => {
        // Laws beside the types: as many ids as amounts, types of items that a trade can have.
        if (event.name === 'TransferBatch') args[4] = (args[3] as bigint[]).map(() => 5n);
        if (event.name === 'OrderFulfilled') {
          for (const item of [...(args[4] as TradeItem[]), ...(args[5] as TradeItem[])])
            item.itemType %= 4;
        }
        const log = encodeLog({ event, args: [...args], address });
        const [read] = readReceipt(receiptOf([log])).logs as [never];
        const match = matchLog(read, scene);
        expect(match?.candidate).toBe(candidate);
        expect(match?.values).toEqual(
          event.inputs.map((input, i) => {
            const isHash = input.indexed && /^(string|bytes)$|\]$|^tuple/.test(input.type);
            const place = event.inputs.slice(0, i).filter(({ indexed }) => indexed).length + 1;
            return isHash ? log.topics[place] : plain(input, args[i]);
          }),
        );
        // The same by viem, which decodes what its encoder made.
        const decoded = decodeEventLog({
          abi: [event],
          data: log.data,
          topics: log.topics as [Hex],
          strict: true,
        });
        expect(decoded.eventName).toBe(candidate.event.name);
        const { events } = decodeTransaction({
          receipt: receiptOf([log]),
          transaction: transactionOf(),
          chain,
          tokens: [{ address, standards: isNft ? ['erc721'] : [] }],
        });
        expect(events.length).toBe('isSilent' in candidate.definition ? 0 : 1);
      }),
      { numRuns: Math.ceil(runsOf().numRuns / 5) },
    );
  },
);

/** Logs that are nearly those of known events, or of no event at all. */
const hostileLog: fc.Arbitrary<WireLog> = fc
  .record({
    topic0: fc.oneof(fc.constantFrom(...builtInEvents().keys()) as fc.Arbitrary<Hex>, bytesOf(32)),
    topics: fc.array(word, { maxLength: 4 }),
    words: fc.array(word, { maxLength: 16 }),
    tail: fc.oneof(fc.constant(''), fc.constantFrom('0', '00', 'ff', 'zz')),
    address: fc.constantFrom(
      addressOf('c'),
      addressOf('d'),
      '0x0000000071727de22e5e9d8baf0edac6f37da032' as Hex,
      '0x508ca82df566dcd1b0de8296e70a96332cd644ec' as Hex,
    ),
  })
  .map(({ topic0, topics, words, tail, address }) => ({
    address,
    topics: [topic0, ...topics.map((each): Hex => `0x${each}`)],
    data: `0x${words.join('')}${tail}` as Hex,
    logIndex: '0x0' as Hex,
  }));

/** A true log, damaged in its data or topics. */
const damagedLog: fc.Arbitrary<WireLog> = fc
  .constantFrom(...definitions)
  .chain(({ event, candidate }) =>
    fc.tuple(
      fc
        .tuple(...event.inputs.map(valueOf))
        .map((args) => encodeLog({ event, args: [...args], address: emitterOf(candidate) })),
      damage,
      fc.constantFrom('data', 'topic', 'fewer', 'more'),
      word,
    ),
  )
  .map(([log, change, place, other]) => {
    const { topics, data } = log;
    if (place === 'data') return { ...log, data: `0x${change(data.slice(2))}` };
    if (place === 'fewer') return { ...log, topics: topics.slice(0, -1) };
    if (place === 'more') return { ...log, topics: [...topics, `0x${other}` as Hex] };
    return { ...log, topics: [...topics.slice(0, -1), `0x${other}` as Hex] };
  });

const user = parseAbis({
  loops: ['event Loops(bytes[][] a, string[] b)', 'event Sync(uint112[] a)'],
  other: {
    addresses: [addressOf('d')],
    abi: ['event Transfer(address from, address indexed to, uint256 indexed id)'],
  },
});

test('hostile logs never make it throw, nor claim what is not in the log', () => {
  let matched = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(hostileLog, damagedLog), { maxLength: 8 }), (logs) => {
      const receipt = receiptOf(logs);
      const input = { receipt, chain, abis: user, unknown: true, rawLogs: true };
      const { events } = decodeTransaction({ ...input, transaction: transactionOf() });
      missingMetadata(input);
      expect(events.length).toBeLessThanOrEqual(logs.length);
      const scene = sceneOf(addressOf('c'));
      for (const log of readReceipt(receipt).logs) {
        const match = matchLog(log, scene);
        if (!match) continue;
        matched++;
        // Encoded by viem from what was read, with each topic that is a hash taken as it is.
        const { candidate, values } = match;
        const item = parseAbiItem(candidate.definition.event) as AbiEvent;
        const rest = item.inputs.filter((input) => !input.indexed);
        const valuesOfRest = values.filter((_, i) => !item.inputs[i]?.indexed);
        expect(
          encodeAbiParameters(
            rest,
            valuesOfRest.map((v, i) => named(rest[i] as never, v)),
          ),
        ).toBe(log.data);
        const words = values.flatMap((value, i) =>
          item.inputs[i]?.indexed ? [wordOf(item.inputs[i] as never, value)] : [],
        );
        expect([candidate.event.topic0, ...words]).toEqual(log.topics);
      }
      for (const event of events) {
        if (event.name !== 'Unknown Event') continue;
        expect(event.tokens ?? event.nfts ?? event.raw_log?.decoded ?? null).toBeNull();
      }
    }),
    { numRuns: 4 * numRuns },
  );
  expect(matched).toBeGreaterThan(numRuns);
});

/** A value of the reader's as viem encodes it. */
function named(parameter: AbiParameter, value: Wire): Wire {
  const { type } = parameter;
  const [, item] = /^(.*)\[\d*\]$/.exec(type) ?? [];
  if (item !== undefined)
    return value.map((each: Wire) => named({ ...parameter, type: item }, each));
  if (type !== 'tuple') return value;
  const { components } = parameter as { components: readonly AbiParameter[] };
  return Object.fromEntries(
    components.map((component, i) => [component.name, named(component, value[i])]),
  );
}

const wordOf = (parameter: AbiParameter, value: Wire): Hex =>
  /^(string|bytes)$|\]$|^tuple/.test(parameter.type)
    ? value
    : encodeAbiParameters([parameter], [value]);
