/** The wrapped native token. Elsewhere the same events are deposits of something that the log does not name. */
import type { Protocol } from '../definition/definition.js';

const deposit = 'event Deposit(address indexed dst, uint256 wad)';
const withdrawal = 'event Withdrawal(address indexed src, uint256 wad)';

export const wrappedNative: Protocol = {
  role: 'wrappedNative',
  events: [
    {
      event: deposit,
      action: 'Deposit',
      category: 'Token',
      isKnown: true,
      details: [['To', 'dst']],
      tokens: [{ heading: 'Amount', amount: 'wad', token: 'emitter' }],
    },
    {
      event: withdrawal,
      action: 'Withdraw',
      category: 'Token',
      isKnown: true,
      details: [['From', 'src']],
      tokens: [{ heading: 'Amount', amount: 'wad', token: 'emitter' }],
    },
    {
      event: deposit,
      action: 'Deposit',
      category: 'Token',
      details: [
        ['To', 'dst'],
        ['Amount', 'wad'],
      ],
    },
    {
      event: withdrawal,
      action: 'Withdraw',
      category: 'Token',
      details: [
        ['From', 'src'],
        ['Amount', 'wad'],
      ],
    },
  ],
};
