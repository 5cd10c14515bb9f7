/** ABIs of the caller's: read, matched, and never believed more than the standards. */
import { getAddress, keccak256 } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Abis, DecodeError, parseAbis } from '../../../../src/decode/index.js';
import { artifact } from '../../../support/contracts/contract.js';
import {
  addressOf,
  decode,
  detailsOf,
  emitter,
  eventOf,
  hash,
  logOf,
  receiver,
  sender,
} from '../../../support/logs.js';

const ping = 'event Ping(address indexed from, uint256 pingCount, string note)';
const log = logOf(ping, [sender, 5n, 'hi']);
const parse = (file: unknown) => parseAbis({ 'ping.json': file });

describe('an event of the caller', () => {
  test('is decoded, with all its arguments', () => {
    expect(decode([log]).events).toEqual([]);
    expect(eventOf(log, { abis: parse([ping]) })).toEqual({
      action: 'Update',
      category: 'Others',
      name: 'Ping',
      protocol: { name: getAddress(emitter), logo: '' },
      details: [
        { heading: 'From', value: getAddress(sender), type: 'address' },
        { heading: 'Ping Count', value: '5', type: 'text' },
        { heading: 'Note', value: 'hi', type: 'text' },
      ],
    });
  });

  test('may come in JSON, as compilers write it', () => {
    const json = {
      contractName: 'Pinger',
      bytecode: '0x00',
      abi: [
        { type: 'constructor', inputs: [] },
        {
          type: 'event',
          name: 'Ping',
          anonymous: false,
          inputs: [
            { name: 'from', type: 'address', internalType: 'address', indexed: true },
            { name: 'pingCount', type: 'uint256', indexed: false },
            { name: 'note', type: 'string', indexed: false },
          ],
        },
      ],
    };
    const abis = parse(JSON.parse(JSON.stringify(json)));
    expect(abis.size).toBe(1);
    expect(eventOf(log, { abis })).toEqual(eventOf(log, { abis: parse([ping]) }));
  });

  test('has the name of its protocol at the addresses that are given, and is nothing elsewhere', () => {
    const abis = parse({
      name: 'Ping\u202eer',
      logo: 'https://ping.example/logo.png',
      addresses: [getAddress(emitter)],
      abi: [ping],
    });
    expect(eventOf(log, { abis }).protocol).toEqual({
      name: 'Pinger',
      logo: 'https://ping.example/logo.png',
    });
    expect(decode([{ ...log, address: addressOf('9') }], { abis }).events).toEqual([]);
    // Without addresses the name would be anybody's.
    const open = parse({ name: 'Pinger', abi: [ping] });
    expect(eventOf(log, { abis: open }).protocol.name).toBe(getAddress(emitter));
  });

  test('shows tuples, lists, bytes and hashes', () => {
    const declaration =
      'event Many((address who, uint8[2] pair)[] list, bytes data, bytes4 id, bytes indexed hidden, bool)';
    const args = [
      [
        { who: sender, pair: [1, 2] },
        { who: receiver, pair: [3, 4] },
      ],
      `0x${'ab'.repeat(65)}`,
      '0x01020304',
      '0x05',
      false,
    ];
    const event = eventOf(logOf(declaration, args), { abis: parse([declaration]) });
    expect(detailsOf(event)).toEqual([
      `List: [(${getAddress(sender)}, [1, 2]), (${getAddress(receiver)}, [3, 4])]`,
      'Data: 65 bytes',
      'Id: 0x01020304',
      // Of an indexed value of variable length, the log has the hash.
      `Hidden: ${keccak256('0x05')}`,
      'Argument 5: No',
    ]);
  });

  test('of a long list shows its beginning', () => {
    const declaration = 'event Numbers(uint256[] numbers)';
    const abis = parse([declaration]);
    const numbers = Array.from({ length: 103 }, () => 1n);
    const [detail] = eventOf(logOf(declaration, [numbers]), { abis }).details;
    expect(detail?.value).toMatch(/^\[1(, 1){99} and 3 more\]$/);
  });
});

describe('what fits twice', () => {
  test('is decoded as we know it, whatever an ABI says', () => {
    const { abi } = artifact(
      '@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json',
    );
    const abis = parse({ name: 'Mine', addresses: [emitter], abi });
    // Transfer, Approval, Paused, Unpaused, RoleGranted, RoleRevoked are known; RoleAdminChanged is not.
    expect(abis.size).toBe(1);
    const transfer = 'event Transfer(address indexed, address indexed, uint256)';
    const event = eventOf(logOf(transfer, [sender, receiver, 5n]), { abis });
    expect(event.tokens).toMatchObject([{ heading: 'Token Amount', value: '5' }]);
    const role = 'event RoleAdminChanged(bytes32 indexed, bytes32 indexed, bytes32 indexed)';
    const changed = eventOf(logOf(role, [hash('1'), hash('2'), hash('3')]), { abis });
    expect(changed).toMatchObject({ name: 'Role Admin Changed', protocol: { name: 'Mine' } });
  });

  test('with other indexes is the standard, unless the contract is named', () => {
    const other = 'event Transfer(address from, address indexed to, uint256 indexed tokenId)';
    const foreign = logOf(other, [sender, receiver, 5n]);
    const standard = 'event Transfer(address indexed, address indexed, uint256)';
    expect(foreign.topics[0]).toBe(logOf(standard, [sender, receiver, 5n]).topics[0]);
    const good = logOf(standard, [sender, receiver, 5n]);
    const open = { abis: parse([other]) };
    expect(eventOf(good, open).tokens).toMatchObject([{ value: '5' }]);
    // The other way round its amount would be an address: no log of theirs can be told from one of the standard.
    expect(eventOf(foreign, open).tokens).toMatchObject([{ value: String(BigInt(sender)) }]);
    const named = { abis: parse({ addresses: [emitter], abi: [other] }) };
    expect(detailsOf(eventOf(foreign, named))).toEqual([
      `From: ${getAddress(sender)}`,
      `To: ${getAddress(receiver)}`,
      'Token Id: 5',
    ]);
  });

  test('by two ABIs that read it differently is unknown; by two that read it alike, it is not', () => {
    const a = 'event Pair(uint256 indexed a, uint256 b)';
    const b = 'event Pair(uint256 a, uint256 indexed b)';
    const pair = logOf(a, [1n, 2n]);
    expect(decode([pair], { abis: parseAbis({ a: [a], b: [b] }) }).events).toEqual([]);
    expect(eventOf(pair, { abis: parseAbis({ a: [a], b: [b] }), unknown: true }).name).toBe(
      'Unknown Event',
    );
    const alike = parseAbis({ a: [a], b: ['event Pair(uint256 indexed x, uint256 y)'] });
    expect(eventOf(pair, { abis: alike }).name).toBe('Pair');
    // Named contracts go before any.
    const first = parseAbis({ a: [a], b: { addresses: [emitter], abi: [b] } });
    expect(detailsOf(eventOf(pair, { abis: first }))).toEqual(['A: 2', 'B: 1']);
  });
});

describe('what is no ABI', () => {
  const refusal = (file: unknown) => {
    try {
      parse(file);
    } catch (error) {
      if (error instanceof DecodeError) return `${error.code} ${error.path}`;
      throw error;
    }
    return undefined;
  };
  const event = (changes: object) => [{ type: 'event', name: 'E', inputs: [], ...changes }];
  const input = (changes: object) =>
    event({ inputs: [{ name: 'a', type: 'uint256', ...changes }] });
  let deep: object = { name: 'a', type: 'tuple', components: [] };
  for (let i = 0; i < 40; i++) deep = { name: 'a', type: 'tuple', components: [deep] };

  test.each([
    [null, 'ping.json'],
    ['abi', 'ping.json'],
    [{}, 'ping.json.abi'],
    [{ abi: {} }, 'ping.json.abi'],
    [[5], 'ping.json[0]'],
    [['event Ping('], 'ping.json[0]'],
    [['garbage'], 'ping.json[0]'],
    [[''], 'ping.json[0]'],
    [[ping, 'eventful Ping()'], 'ping.json[1]'],
    [{ abi: [ping, 'pragma solidity ^0.4.0;'] }, 'ping.json.abi[1]'],
    [['event Ping(uint a', ping], 'ping.json[0]'],
    [[`event ${'a'.repeat(5000)}()`], 'ping.json[0]'],
    [['struct', ping], 'ping.json[0]'],
    [['struct P uint x;', ping], 'ping.json[0]'],
    [['struct P { uint x; }', 'struct P { uint y; }'], 'ping.json[1]'],
    [[{}], 'ping.json[0].type'],
    [[{ type: 'garbage' }], 'ping.json[0].type'],
    [[{ type: 5, name: 'f', inputs: [] }], 'ping.json[0].type'],
    [[{ name: 'f' }], 'ping.json[0].type'],
    [[{ inputs: [] }], 'ping.json[0].type'],
    [[ping, []], 'ping.json[1].type'],
    [[null], 'ping.json[0]'],
    [event({ name: 5 }), 'ping.json[0].name'],
    [event({ name: 'a b' }), 'ping.json[0].name'],
    [event({ inputs: undefined }), 'ping.json[0].inputs'],
    [event({ inputs: [null] }), 'ping.json[0].inputs[0]'],
    [input({ type: 5 }), 'ping.json[0].inputs[0].type'],
    [
      input({ type: 'tuple', components: [deep] }),
      expect.stringContaining('ping.json[0].inputs[0]'),
    ],
    [{ abi: [], addresses: ['0x12'] }, 'ping.json.addresses[0]'],
    [{ abi: [], addresses: '0x12' }, 'ping.json.addresses'],
    [Array.from({ length: 10_001 }, () => ping), 'ping.json'],
  ])('%#: %j is refused', (file, path) => {
    const got = refusal(file);
    expect(got?.startsWith('BAD_ABI ')).toBe(true);
    expect(got?.slice('BAD_ABI '.length)).toEqual(path);
  });

  test('is named by its file, in a message that says what was expected', () => {
    expect(() => parse([ping, 'garbage'])).toThrow(
      '"ping.json[1]" expected an event, function, error or struct as Solidity declares it (BAD_ABI)',
    );
  });

  test('is not what is passed over: functions, errors, anonymous events', () => {
    const items = [
      'function ping()',
      'error Broke()',
      'event Hidden(uint256 a) anonymous',
      { type: 'function', name: 'ping', inputs: [] },
      'constructor(uint a)',
      'fallback() external',
      'receive() external payable',
      'struct Point { uint x; uint y; }',
      'event Hidden(uint256 a) anonymous;',
      { type: 'event', name: 'E', anonymous: true, inputs: [] },
      // As compilers before 0.4 wrote a function.
      { constant: true, inputs: [], name: 'ping', outputs: [] },
      { type: 'constructor', inputs: [] },
      { type: 'fallback' },
      { type: 'receive', stateMutability: 'payable' },
      { type: 'error', name: 'Broke', inputs: [] },
    ];
    expect(parse(items)).toMatchObject({ size: 0, skipped: [] });
    expect(parse([]).size).toBe(0);
    expect(parseAbis({}).size).toBe(0);
  });
});

describe('an odd event', () => {
  const types = 'expected types of the ABI, at most three indexed';
  const event = (...inputs: object[]) => ({ type: 'event', name: 'E', inputs });

  test.each<[unknown, string]>([
    ['event E(uint7 a)', types],
    ['event E(addres a)', types],
    ['event E(Kind kind)', types],
    ['event E(fixed a)', types],
    ['event E(byte a)', types],
    ['event E(bool indexed, bool indexed, bool indexed, bool indexed)', types],
    ['event E(mapping(uint => uint) a)', types],
    [event({ name: 'a', type: 'uint7' }), types],
    [event({ name: 'a', type: 'Lib.Kind' }), types],
    [event({ name: 'a', type: 'ureal128x128' }), types],
    [event({ name: 'a', type: 'tuple' }), types],
    [event(...[1, 2, 3, 4].map(() => ({ name: 'a', type: 'bool', indexed: true }))), types],
  ])('%j is left out and named; the others of its file are used', (odd, reason) => {
    const abis = parseAbis({ 'old.json': { abi: [odd, ping] }, 'ping.json': [odd] });
    expect(abis.size).toBe(1);
    expect(abis.skipped).toEqual([`"old.json.abi[0]" ${reason}`, `"ping.json[0]" ${reason}`]);
    expect(eventOf(log, { abis })).toEqual(eventOf(log, { abis: parse([ping]) }));
  });

  test.each<[object | string, string]>([
    ['event E(uint);', 'event E(uint256)'],
    ['  event E ( bytes1 a , uint8 b ) ;', 'event E(bytes1 a, uint8 b)'],
    [{ constant: false, ...event({ type: 'byte' }) }, 'event E(bytes1)'],
    [event({ name: '', type: 'uint' }, { type: 'int' }), 'event E(uint256, int256)'],
  ])('%j of an old compiler is used', (old, modern) => {
    const { size, skipped } = parse([old]);
    expect({ size, skipped }).toEqual({ size: 1, skipped: [] });
    const args = modern.split(',').map((part) => (part.includes('bytes1') ? '0x07' : 7n));
    expect(eventOf(logOf(modern, args), { abis: parse([old]) }).name).toBe('E');
  });
});

describe('structs beside an event', () => {
  const point = 'struct Point { uint256 x; uint256 y; }';
  const line = 'struct Line { Point from; Point[] to; }';
  const moved = 'event Moved(address indexed who, Line line)';
  const tuple =
    'event Moved(address indexed who, ((uint256 x, uint256 y) from, (uint256 x, uint256 y)[] to) line)';
  const args = [sender, { from: { x: 1n, y: 2n }, to: [{ x: 3n, y: 4n }] }];

  test('are used in it, wherever they stand', () => {
    for (const abi of [
      [point, line, moved],
      [moved, `${line};`, point, 'struct Other { Missing a; }'],
    ]) {
      const abis = parse(abi);
      expect(abis.skipped).toEqual([]);
      const expected = eventOf(logOf(tuple, args), { abis: parse([tuple]) });
      expect(expected.details).toHaveLength(2);
      expect(eventOf(logOf(tuple, args), { abis })).toEqual(expected);
    }
  });

  test('that cannot be used are blamed, not the line of the event', () => {
    const needs = (i: number) =>
      `needs the struct of "ping.json[${i}]", whose types the ABI does not have`;
    const bad = 'struct Point { uint7 x; }';
    expect(parse([bad, 'event Moved(Point p)', ping])).toMatchObject({
      size: 1,
      skipped: [`"ping.json[1]" ${needs(0)}`],
    });
    const loop = ['struct A { B b; }', 'struct B { A a; }', 'event Moved(A a)'];
    expect(parse([...loop, ping])).toMatchObject({
      size: 1,
      skipped: [`"ping.json[2]" ${needs(0)}`],
    });
    const own = ['struct A { A[] a; }', 'event Moved(A a)'];
    expect(parse(own)).toMatchObject({ size: 0, skipped: [`"ping.json[1]" ${needs(0)}`] });
    // A struct that it does not need is no fault of it.
    expect(parse([bad, ping])).toMatchObject({ size: 1, skipped: [] });
    expect(parse([point, 'event Moved(Point p, uint7 a)']).skipped).toEqual([
      '"ping.json[1]" expected types of the ABI, at most three indexed',
    ]);
  });

  test('may be of the type of a function', () => {
    expect(parse(['event E(function f)'])).toMatchObject({ size: 1, skipped: [] });
  });

  test('in one another without end take no time', () => {
    const structs = Array.from(
      { length: 60 },
      (_, i) => `struct S${i + 1} { S${i} a; S${i} b; S${i} c; }`,
    );
    const abis = parse(['struct S0 { uint x; }', ...structs, 'event Deep(S60 a)', ping]);
    expect(abis).toMatchObject({ size: 1, skipped: [expect.stringContaining('"ping.json[61]"')] });
  });
});

test('abis are made by parseAbis alone', () => {
  expect(() => parseAbis(undefined as never)).toThrow('"files" expected an object, got undefined');
  expect(() => decode([log], { abis: { size: 1, skipped: [] } as Abis })).toThrow(TypeError);
});
