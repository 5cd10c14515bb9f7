/** Which messages of servers say that a state is gone: the texts are those of the clients' sources. */
import { expect, test } from 'vitest';
import { saysStateLost } from '../../../src/rpc/lostState.js';

const root = '2203acdaff3ded2e651dd63c59a232a088061567174dc9f50f76c71ef857a25f';

test.each([
  ['geth', `missing trie node ${root} (path ) state 0x${root} is not available, not found`],
  ['geth', `historical state ${root} is not available`],
  ['geth', `state 0x${root} is not available`],
  ['geth', 'required historical state unavailable (reexec=128)'],
  ['reth', 'distance to target block exceeds maximum proof window'],
  ['reth', 'state at block #21000000 is pruned'],
  ['reth', `no state found for block 0x${root}`],
  ['reth', 'no state found for block number 49107280'],
  ['reth', 'insufficient changesets to revert to block #2. Available changeset range: 43..=48'],
  ['Besu', 'World state unavailable'],
  [
    'Erigon',
    'requested block is too old, block must be within 1000 blocks of the head block number (currently 3696916)',
  ],
  ['Erigon', 'old data not available due to pruning: requested block 6134861'],
  ['Erigon', "proofs are available only for the 'latest' block"],
  [
    'Nethermind',
    `No state available for block 45615500 (0x${root.slice(0, 6)}...${root.slice(-6)})`,
  ],
  ['Nethermind', `No state available for block 0x${root}`],
  ['Anvil', 'BlockOutOfRangeError: block height is 7282 but requested was 120'],
  ['Anvil', 'BlockOutOfRangeError: block height is 7282 but requested was 7282'],
  ['a provider around geth', `internal error: missing trie node ${root} (path 0a)`],
])('%s: %s', (_, message) => {
  expect(saysStateLost(message)).toBe(true);
});

test.each([
  '',
  'BlockOutOfRangeError: block height is 657 but requested was 1946',
  'BlockOutOfRangeError: block height is 9007199254740992 but requested was 9007199254740993',
  'header not found',
  'unknown block',
  'the method eth_getProof does not exist/is not available',
  'service unavailable, see our state page',
  'state of the project: not available in your plan',
  'state override is not available',
  'rate limit exceeded; block is too old to hurry',
  "state histories haven't been fully indexed yet",
  'pruned history unavailable',
  'execution reverted: old data',
  'execution reverted: missing trie node',
  'VM Exception while processing transaction: revert No state available for block 5',
  'project ID request rate exceeded',
])('says something else: %s', (message) => {
  expect(saysStateLost(message)).toBe(false);
});
