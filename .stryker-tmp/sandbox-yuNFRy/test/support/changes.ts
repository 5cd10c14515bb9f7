/** Random blocks of a state, as the reference takes them and as the state tree does. */
// @ts-nocheck

import fc from 'fast-check';
import type { Hex } from '../../src/index.js';
import type { AccountChange } from '../../src/tree/index.js';
import { digits } from './reference.js';
import type { ReferenceChange } from './referenceState.js';

/** Few accounts, slots and values: what happens twice to the same one is what goes wrong. */
export const addresses = Array.from({ length: 8 }, (_, i) => digits(BigInt(i + 1), 20));
export const slots = [0n, 1n, 2n, 3n, 1n << 200n];

const account = fc.record(
  {
    nonce: fc.bigInt(0n, 3n),
    balance: fc.bigInt(0n, (1n << 250n) - 1n),
    code: fc.constantFrom('', '00', '6001', '60'.repeat(17)),
  },
  { requiredKeys: ['nonce', 'balance'] },
);
const storage = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...slots), fc.constantFrom(0n, 1n, (1n << 256n) - 1n)),
  { selector: ([key]) => key, maxLength: 4 },
);
const change: fc.Arbitrary<ReferenceChange> = fc.oneof(
  fc.record({
    address: fc.constantFrom(...addresses),
    account,
    recreated: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
    storage,
  }),
  fc.record({
    address: fc.constantFrom(...addresses),
    account: fc.constant(null),
    storage: fc.constant<[bigint, bigint][]>([]),
  }),
);
/** One account whose code comes, changes, goes and comes again, in every way that a block has. */
const codeChange: fc.Arbitrary<ReferenceChange> = fc.record({
  address: fc.constantFrom(...addresses.slice(0, 2)),
  account: fc.oneof({ weight: 7, arbitrary: account }, { weight: 1, arbitrary: fc.constant(null) }),
  recreated: fc.boolean(),
  storage: fc.constant<[bigint, bigint][]>([]),
});
export const codeChain = fc.array(
  fc
    .uniqueArray(codeChange, { selector: ({ address }) => address, minLength: 1, maxLength: 2 })
    .map((changes) =>
      changes.map((one) => (one.account === null ? { ...one, recreated: false } : one)),
    ),
  { minLength: 10, maxLength: 20 },
);
export const block = fc.uniqueArray(change, { selector: ({ address }) => address, maxLength: 5 });
export const blocks = fc.array(block, { minLength: 1, maxLength: 6 });

export const hex = (text: string): Hex => `0x${text}`;

/** The same change as the state tree takes it. */
export const changeOf = ({
  address,
  account,
  recreated,
  storage,
}: ReferenceChange): AccountChange => ({
  address: hex(address),
  account: account && {
    nonce: account.nonce,
    balance: account.balance,
    ...(account.code !== undefined && { code: hex(account.code) }),
  },
  ...(recreated && { recreated }),
  storage: storage.map(([key, value]) => ({ key: hex(digits(key)), value: hex(digits(value)) })),
});

export const keys = slots.map((slot) => hex(digits(slot)));
