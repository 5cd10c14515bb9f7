/** Native value that is moved or burnt, as a log since Amsterdam (EIP-7708). */
import type { Protocol } from '../definition/definition.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';

const shared = { category: 'Token', isKnown: true, hasMinimum: true } as const;

/** Shown as the transfer that a transaction itself makes. */
export const nativeValue: Protocol = {
  addresses: [nativeLogAddress],
  events: [
    {
      event: 'event Transfer(address indexed from, address indexed to, uint256 value)',
      name: 'Native Transfer',
      action: 'Native Token Transfer',
      ...shared,
      details: [
        ['From', 'from'],
        ['To', 'to'],
      ],
      tokens: [{ heading: 'Value', amount: 'value', token: 'native' }],
    },
    {
      event: 'event Burn(address indexed account, uint256 value)',
      name: 'Native Burn',
      action: 'Native Token Transfer',
      ...shared,
      details: [['From', 'account']],
      tokens: [{ heading: 'Value', amount: 'value', token: 'native' }],
    },
  ],
};
