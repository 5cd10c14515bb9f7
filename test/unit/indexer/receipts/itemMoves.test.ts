/** Whether a transaction moved a token: events as viem encodes them. */
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbiItem } from 'viem';
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { isItemMoved } from '../../../../src/indexer/receipts/itemMoves.js';

const contract: Hex = `0x${'c0'.repeat(20)}`;
const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`] as [Hex, Hex];

/** A log of an event, with its arguments in their order. */
function logOf(signature: string, ...values: unknown[]) {
  const event = parseAbiItem(signature as never) as AbiEvent;
  const args = Object.fromEntries(event.inputs.map(({ name }, i) => [name as string, values[i]]));
  const topics = encodeEventTopics({ abi: [event], eventName: event.name, args }) as Hex[];
  const plain = event.inputs.filter(({ indexed }) => !indexed);
  const data = encodeAbiParameters(plain, plain.map(({ name }) => args[name as string]) as never);
  return { address: contract, topics, data };
}

const erc721 = 'event Transfer(address indexed from, address indexed to, uint256 indexed id)';
const erc20 = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const approval = 'event Approval(address indexed owner, address indexed to, uint256 indexed id)';
const single =
  'event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value)';
const batch =
  'event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values)';
const run =
  'event ConsecutiveTransfer(uint256 indexed first, uint256 last, address indexed from, address indexed to)';
const most = 2n ** 256n - 1n;

describe('a token', () => {
  test.each<[string, ReturnType<typeof logOf>, bigint, boolean]>([
    ['of ERC-721', logOf(erc721, alice, bob, 7n), 7n, true],
    ['with the greatest id', logOf(erc721, alice, bob, most), most, true],
    ['of another id', logOf(erc721, alice, bob, 7n), 8n, false],
    ['of which an amount of ERC-20 has the number', logOf(erc20, alice, bob, 7n), 7n, false],
    ['that is approved', logOf(approval, alice, bob, 7n), 7n, false],
    ['of ERC-1155', logOf(single, alice, alice, bob, 7n, 3n), 7n, true],
    ['whose number is the amount of another', logOf(single, alice, alice, bob, 3n, 7n), 7n, false],
    ['in a batch', logOf(batch, alice, alice, bob, [1n, 7n], [2n, 3n]), 7n, true],
    ['whose number is an amount', logOf(batch, alice, alice, bob, [1n, 2n], [7n, 3n]), 7n, false],
    ['that begins a run', logOf(run, 5n, 9n, alice, bob), 5n, true],
    ['that ends it', logOf(run, 5n, 9n, alice, bob), 9n, true],
    ['before it', logOf(run, 5n, 9n, alice, bob), 4n, false],
    ['behind it', logOf(run, 5n, 9n, alice, bob), 10n, false],
  ])('%s', (_, log, id, isMoved) => {
    expect(isItemMoved([log], { contract, id })).toBe(isMoved);
    expect(isItemMoved([{ ...log, address: alice }], { contract, id })).toBe(false);
    expect(isItemMoved([logOf(erc20, alice, bob, 1n), log], { contract, id })).toBe(isMoved);
  });

  test('that no log names did not move', () => {
    expect(isItemMoved([], { contract, id: 0n })).toBe(false);
  });
});
