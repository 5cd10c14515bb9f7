/** False figures about an account, what it holds, and the root on L1. */
import { accounts } from '../../../src/cli/devnet/network.js';
import { type Falsification, otherDigit } from './lies.js';
import type { Passing } from './world.js';

const [, bob] = accounts;
const place = `#/address/${bob}`;

/** @param change of the result of `l2_getProof` */
const inProof =
  // biome-ignore lint/suspicious/noExplicitAny: any answer of any server
    (change: (result: any) => unknown) =>
    ({ method, body }: Passing) => {
      if (method === 'l2_getProof' && body.result) change(body.result);
      return body;
    };

/** Each digit of the value of an account is of one of its members. */
const members = { nonce: 0, balance: 1, 'storage root': 2, 'code hash': 3, 'code size': 5 };

const ofAccount: Falsification[] = [
  ...Object.entries(members).map(([name, word]) => ({
    name: `the ${name}`,
    place,
    lie: inProof(({ accountProof: { proof } }) => {
      proof.value = otherDigit(proof.value, 2 + 64 * (word + 1) - 1);
    }),
  })),
  {
    name: 'the index of the leaf',
    place,
    lie: inProof(({ accountProof }) => {
      accountProof.leafIndex++;
    }),
  },
  {
    name: 'the address that the answer is about',
    place,
    lie: inProof(({ accountProof }) => {
      accountProof.key = otherDigit(accountProof.key);
    }),
  },
  ...[0, 1, 20, 40].map((at) => ({
    name: `node ${at} of the path`,
    place,
    lie: inProof(({ accountProof: { proof } }) => {
      const { proofRelatedNodes: nodes } = proof;
      nodes[at] = otherDigit(nodes[at]);
    }),
  })),
  {
    name: 'an account that is said not to exist',
    place,
    lie: ({ method, body }) => {
      if (method === 'l2_getProof' && body.result) delete body.result.accountProof.proof;
      return body;
    },
  },
];

/** A slot of the contract on L1, or what it answers. */
const onL1 = (change: (body: Passing['body']) => void) => (passing: Passing) => {
  if (passing.path === '/l1' && passing.method === 'eth_call') change(passing.body);
  return passing.body;
};

const onRoot: Falsification[] = [
  {
    name: 'the state root on L1',
    place,
    lie: onL1((body) => {
      if (/^0x[0-9a-f]{64}$/.test(body.result) && !/^0x0{56}/.test(body.result)) {
        body.result = otherDigit(body.result, 40);
      }
    }),
  },
];

const inBalances =
  // biome-ignore lint/suspicious/noExplicitAny: any answer of any server
    (change: (item: any, items: any[]) => void) =>
    ({ path, body }: Passing) => {
      const items = body.data?.items;
      if (path.includes('/balances_v2/') && items) change(items[1], items);
      return body;
    };

const ofTokens: Falsification[] = [
  {
    name: 'the amount of a token',
    place,
    lie: inBalances((item) => {
      item.balance = String(BigInt(item.balance) + 1n);
    }),
  },
  {
    name: 'the amount of the native token',
    place,
    lie: inBalances((_, [item]) => {
      item.balance = String(BigInt(item.balance) + 1n);
    }),
  },
  {
    name: 'the decimals of a token',
    place,
    shown: 'truth',
    lie: inBalances((item) => {
      item.contract_decimals -= 1;
    }),
  },
  {
    name: 'the contract of a token',
    place,
    lie: inBalances((item, [, , other]) => {
      item.contract_address = other.contract_address;
    }),
  },
  {
    name: 'that an unproven token is verified',
    place,
    shown: 'word',
    lie: ({ path, body }) => {
      const data = path.includes('/balances_v2/') ? body.data : undefined;
      if (data?.items) {
        const [item] = data.items.splice(1, 1);
        data.unproven = [{ ...item, balance: '999000000000000000000', verified: true }];
      }
      return body;
    },
  },
];

export const stateLies: readonly Falsification[] = [...ofAccount, ...onRoot, ...ofTokens];
