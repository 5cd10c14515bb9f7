/** ERC-4626 vaults: shares are the vault's own token, assets another. */
import type { Protocol } from '../definition/definition.js';

export const vaults: Protocol = {
  events: [
    {
      event:
        'event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
      action: 'Deposit',
      category: 'DeFi',
      details: [
        ['Sender', 'sender'],
        ['Owner', 'owner'],
      ],
      tokens: [
        { heading: 'Assets', amount: 'assets', token: { moved: 'in' } },
        { heading: 'Shares', amount: 'shares', token: 'emitter' },
      ],
    },
    {
      event:
        'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
      action: 'Withdraw',
      category: 'DeFi',
      details: [
        ['Sender', 'sender'],
        ['Receiver', 'receiver'],
        ['Owner', 'owner'],
      ],
      tokens: [
        { heading: 'Assets', amount: 'assets', token: { moved: 'out' } },
        { heading: 'Shares', amount: 'shares', token: 'emitter' },
      ],
    },
  ],
};
