/** Calls to tokens, a pair of Uniswap v2, and Multicall3. */
// @ts-nocheck

import { type CallCase, hex, word } from './case.js';
import { type CallWorld, first, second, stranger } from './world.js';

const ether = 10n ** 18n;
const max = 2n ** 256n - 1n;
const deadline = 2n ** 40n;

function erc20({ gold, rebasing, wrapped }: CallWorld): CallCase[] {
  const from = first;
  return [
    { name: 'ERC-20 name', call: gold.call('name') },
    { name: 'ERC-20 balanceOf', call: gold.call('balanceOf', second), isMeasured: true },
    { name: 'ERC-20 balanceOf a stranger', call: gold.call('balanceOf', stranger) },
    { name: 'ERC-20 allowance', call: gold.call('allowance', first, second) },
    {
      name: 'ERC-20 transfer',
      call: { from, ...gold.call('transfer', stranger, ether) },
      isMeasured: true,
    },
    {
      name: 'ERC-20 transfer of all, which clears a slot',
      call: { from: second, ...gold.call('transfer', first, 5n * ether) },
      isMeasured: true,
    },
    {
      name: 'ERC-20 transferFrom',
      call: { from: second, ...gold.call('transferFrom', first, stranger, 3n * ether) },
      isMeasured: true,
    },
    {
      name: 'ERC-20 approve of zero, which clears a slot',
      call: { from, ...gold.call('approve', second, 0n) },
      isMeasured: true,
    },
    {
      name: 'ERC-20 transfer of too much: a reason',
      call: { from: second, ...gold.call('transfer', first, 6n * ether) },
      gives: 'revert',
    },
    {
      name: 'ERC-20 mint by nobody: a reason that is put together',
      call: { from: stranger, ...gold.call('mint', stranger, 1n) },
      gives: 'revert',
    },
    {
      name: 'ERC-20 mint beyond 2^256: a panic',
      call: { from, ...gold.call('mint', first, max) },
      gives: 'revert',
    },
    {
      name: 'ERC-20 pause',
      call: { from, ...gold.call('pause') },
      isMeasured: true,
    },
    {
      name: 'a value to a function that takes none',
      call: { from, ...gold.call('pause'), value: '0x1' },
      gives: 'revert',
    },
    {
      name: 'a function that is not there',
      call: { from, to: gold.address, data: '0x12345678' },
      gives: 'revert',
    },
    { name: 'a rebased balance', call: rebasing.call('balanceOf', first) },
    {
      name: 'a transfer of a rebasing token',
      call: { from, ...rebasing.call('transfer', stranger, 300n) },
      isMeasured: true,
    },
    {
      name: 'wrapped native: deposit',
      call: { from: second, ...wrapped.call('deposit'), value: hex(ether) },
      isMeasured: true,
    },
    {
      name: 'wrapped native: withdraw, which sends value',
      call: { from, ...wrapped.call('withdraw', 7n) },
      isMeasured: true,
    },
    {
      name: 'wrapped native: too much',
      call: { from, ...wrapped.call('withdraw', 8n) },
      gives: 'revert',
    },
  ];
}

function erc721({ deed, goods, gold }: CallWorld): CallCase[] {
  const from = second;
  return [
    { name: 'ERC-721 ownerOf', call: deed.call('ownerOf', 1n) },
    { name: 'ERC-721 tokenURI', call: deed.call('tokenURI', 2n), isMeasured: true },
    { name: 'ERC-721 tokenOfOwnerByIndex', call: deed.call('tokenOfOwnerByIndex', second, 1n) },
    {
      name: 'ERC-721 ownerOf nothing: a reason',
      call: deed.call('ownerOf', 9n),
      gives: 'revert',
    },
    {
      name: 'ERC-721 transferFrom',
      call: { from, ...deed.call('transferFrom', second, first, 1n) },
      isMeasured: true,
    },
    {
      name: 'ERC-721 burn',
      call: { from, ...deed.call('burn', 2n) },
      isMeasured: true,
    },
    {
      name: 'ERC-721 safeTransferFrom to a contract that does not want it',
      call: { from, ...deed.call('safeTransferFrom', second, gold.address, 1n) },
      gives: 'revert',
    },
    {
      name: 'ERC-1155 balanceOfBatch',
      call: goods.call('balanceOfBatch', [second, second, first], [3n, 4n, 3n]),
      isMeasured: true,
    },
    {
      name: 'ERC-1155 balanceOfBatch of unlike lengths',
      call: goods.call('balanceOfBatch', [second], [3n, 4n]),
      gives: 'revert',
    },
    {
      name: 'ERC-1155 safeBatchTransferFrom',
      call: {
        from,
        ...goods.call('safeBatchTransferFrom', second, first, [3n, 4n], [30n, 1n], '0x'),
      },
      isMeasured: true,
    },
    {
      name: 'ERC-1155 supportsInterface',
      call: goods.call('supportsInterface', '0xd9b67a26'),
    },
  ];
}

function uniswap({ pair, uniswap: { factory, router }, gold, silver }: CallWorld): CallCase[] {
  const path = [gold.address, silver.address];
  const from = first;
  const swap = 'swapExactTokensForTokens';
  return [
    { name: 'Uniswap getReserves', call: pair.contract.call('getReserves') },
    { name: 'Uniswap getPair', call: factory.call('getPair', ...path) },
    {
      name: 'Uniswap getAmountsOut',
      call: router.call('getAmountsOut', ether, path),
      isMeasured: true,
    },
    {
      name: 'Uniswap swap',
      call: { from, ...router.call(swap, ether, 1n, path, stranger, deadline) },
      isMeasured: true,
    },
    {
      name: 'Uniswap swap for too little',
      call: { from, ...router.call(swap, ether, 100n * ether, path, stranger, deadline) },
      gives: 'revert',
    },
    {
      name: 'Uniswap swap too late, which the timestamp says',
      call: { from, ...router.call(swap, ether, 1n, path, stranger, 1n) },
      gives: 'revert',
    },
    {
      name: 'Uniswap createPair, which creates a contract',
      call: { from, ...factory.call('createPair', gold.address, stranger) },
      isMeasured: true,
    },
    {
      name: 'Uniswap sync',
      call: { from, ...pair.contract.call('sync') },
      isMeasured: true,
    },
    {
      name: 'Uniswap permit of a wrong signature, which recovers a signer',
      call: pair.contract.call(
        'permit',
        ...[first, second, 1n, deadline, 27, `0x${word(1)}`, `0x${word(2)}`],
      ),
      gives: 'revert',
    },
  ];
}

function multicall({ multicall: contract, gold, deed, samples }: CallWorld): CallCase[] {
  const inner = (target: { address: string }, callData: string, allowFailure = true) => ({
    ...{ target: target.address, allowFailure, callData },
  });
  const good = inner(gold, gold.encode('balanceOf', first));
  const bad = inner(deed, deed.encode('ownerOf', 99n));
  const empty = inner({ address: stranger }, '0x1234');
  return [
    {
      name: 'Multicall3 aggregate3 with failures allowed',
      call: contract.call('aggregate3', [good, bad, empty, good]),
      isMeasured: true,
    },
    {
      name: 'Multicall3 aggregate3 with a failure that is not',
      call: contract.call('aggregate3', [good, { ...bad, allowFailure: false }]),
      gives: 'revert',
    },
    {
      name: 'Multicall3 aggregate3 that runs out of gas within',
      call: {
        ...contract.call('aggregate3', [inner({ address: samples.endless }, '0x'), good]),
        gas: '0x100000',
      },
    },
    { name: 'Multicall3 getEthBalance', call: contract.call('getEthBalance', second) },
    {
      name: 'Multicall3 getCurrentBlockTimestamp',
      call: contract.call('getCurrentBlockTimestamp'),
    },
    { name: 'Multicall3 getBlockNumber', call: contract.call('getBlockNumber') },
    { name: 'Multicall3 getChainId', call: contract.call('getChainId') },
    { name: 'Multicall3 getLastBlockHash', call: contract.call('getLastBlockHash') },
    { name: 'Multicall3 getBlockHash of an old block', call: contract.call('getBlockHash', 3n) },
  ];
}

export const tokenCases = (world: CallWorld): CallCase[] =>
  [erc20, erc721, uniswap, multicall].flatMap((cases) => cases(world));
