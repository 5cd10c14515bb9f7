import { describe, expect, test } from 'vitest';
import { verifyBootstrap } from '../../../../src/beacon/index.js';
import { makeChain } from '../../../support/beacon/chain.js';
import { networkFrom } from '../../../support/beacon/networks.js';
import type { ApiObject } from '../../../support/beacon/ssz.js';

const network = networkFrom('electra');
const chain = makeChain(network);
const checkpoint = chain.root(9);
const good: ApiObject = chain.bootstrap(9);
const verify = (bootstrap: unknown, given: object = {}) =>
  verifyBootstrap(bootstrap, { checkpoint, network, ...given });

test('a bootstrap gives what is known at the checkpoint', () => {
  const store = verify(good);
  expect(store.finalized).toMatchObject({ blockRoot: checkpoint, signers: undefined });
  expect(store.finalized.beacon.slot).toBe(9);
  expect(store.finalized.executionBlockHash).toBe(chain.blockAt(9).blockHash);
  expect(store.nextCommittee).toBeUndefined();
  expect(Object.isFrozen(store)).toBe(true);
});

test('that of another block is refused', () => {
  expect(() => verify(chain.bootstrap(10))).toThrow(
    '"header" is the header of another block (WRONG_CHECKPOINT)',
  );
});

test('so is another execution block, and another committee', () => {
  const { header } = good;
  const execution = { ...header.execution, gas_used: '1' };
  expect(() => verify({ ...good, header: { ...header, execution } })).toThrow(/BAD_EXECUTION/);
  const { current_sync_committee: other } = chain.bootstrap(73);
  expect(() => verify({ ...good, current_sync_committee: other })).toThrow(/BAD_COMMITTEE/);
  // The next committee stands beside the current one.
  const next = chain.update({ attested: 9 });
  const swapped = {
    ...good,
    current_sync_committee: next.next_sync_committee,
    current_sync_committee_branch: next.next_sync_committee_branch,
  };
  expect(() => verify(swapped)).toThrow(/BAD_COMMITTEE/);
});

test('a wrong checkpoint is refused before anything is looked at', () => {
  expect(() => verify(null, { checkpoint: '0x12' })).toThrow(RangeError);
  expect(() => verify(null, { checkpoint: undefined })).toThrow(TypeError);
  expect(() => verify(null)).toThrow('expected an object, got null (BAD_ANSWER)');
});

describe('a malformed member', () => {
  /** A copy with a member replaced, or without it. */
  const withMember = (path: string, value: unknown): ApiObject => {
    const copy = structuredClone(good);
    const names = path.split('.');
    const last = names.pop() as string;
    const target = names.reduce((object, name) => object[name], copy);
    if (value === undefined) delete target[last];
    else target[last] = value;
    return copy;
  };

  test.each<[string, unknown, string]>([
    ['header', [], 'expected an object, got array'],
    ['header.beacon', undefined, 'expected an object, got undefined'],
    ['header.beacon.slot', 9, 'expected a number below 2^53, as decimal digits'],
    ['header.beacon.slot', '09', 'expected a number below 2^53, as decimal digits'],
    ['header.beacon.slot', '9007199254740992', 'expected a number below 2^53, as decimal digits'],
    ['header.beacon.slot', '0x9', 'expected a number below 2^53, as decimal digits'],
    [
      'header.beacon.proposer_index',
      `${2n ** 64n}`,
      'expected a number below 2^64, as decimal digits',
    ],
    ['header.beacon.parent_root', '0x00', 'expected 0x and 64 hex digits'],
    ['header.execution', undefined, 'expected an object, got undefined'],
    [
      'header.execution.base_fee_per_gas',
      `${2n ** 256n}`,
      'expected a number below 2^256, as decimal digits',
    ],
    ['header.execution.extra_data', `0x${'00'.repeat(33)}`, 'expected 0x and up to 64 hex digits'],
    ['header.execution.logs_bloom', `0x${'00'.repeat(255)}`, 'expected 0x and 512 hex digits'],
    ['header.execution_branch', [], 'expected 4 elements, got 0'],
    [
      'current_sync_committee.pubkeys',
      Array(33).fill(`0x${'00'.repeat(48)}`),
      'expected 32 elements, got 33',
    ],
    ['current_sync_committee.aggregate_pubkey', null, 'expected 0x and 96 hex digits'],
    ['current_sync_committee_branch', Array(7).fill(checkpoint), 'expected 6 elements, got 7'],
    ['current_sync_committee_branch.5', `${checkpoint}00`, 'expected 0x and 64 hex digits'],
  ])('%s', (path, value, reason) => {
    const at = path.replace(/\.(\d+)$/, '[$1]');
    expect(() => verify(withMember(path, value))).toThrow(`"${at}" ${reason} (BAD_ANSWER)`);
  });

  test('an object of another fork has another format', () => {
    const gloas = makeChain(networkFrom('gloas')).bootstrap(9);
    expect(() => verify(gloas)).toThrow(/"header.execution" expected an object.*BAD_ANSWER/);
    const older = makeChain(networkFrom('deneb')).bootstrap(9);
    expect(() => verify(older, { checkpoint: makeChain(networkFrom('deneb')).root(9) })).toThrow(
      /"current_sync_committee_branch" expected 6 elements, got 5/,
    );
  });

  test('one that was lent by a prototype is not read', () => {
    const lent = Object.create(good);
    expect(() => verify(lent)).toThrow('"header" expected an object, got undefined (BAD_ANSWER)');
  });
});
