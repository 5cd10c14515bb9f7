/** Permit2: approvals that one contract keeps for all tokens. */
import type { Protocol, TokenDefinition } from '../definition/definition.js';

const approval = { action: 'Approval', category: 'Token' } as const;
const allowance: TokenDefinition = {
  heading: 'Value',
  amount: 'amount',
  token: { argument: 'token' },
  isAllowance: true,
};

export const permit2: Protocol = {
  name: 'Permit2',
  addresses: ['0x000000000022D473030F116dDEE9F6B43aC78BA3'],
  events: [
    {
      event:
        'event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)',
      ...approval,
      details: [
        ['Owner', 'owner'],
        ['Token', 'token'],
        ['Spender', 'spender'],
        ['Expiration', 'expiration', 'time'],
      ],
      tokens: [allowance],
    },
    {
      event:
        'event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)',
      ...approval,
      details: [
        ['Owner', 'owner'],
        ['Token', 'token'],
        ['Spender', 'spender'],
        ['Expiration', 'expiration', 'time'],
        ['Nonce', 'nonce'],
      ],
      tokens: [allowance],
    },
    { event: 'event Lockdown(address indexed owner, address token, address spender)', ...approval },
    {
      event:
        'event NonceInvalidation(address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce)',
      action: 'Update',
      category: 'Token',
    },
    {
      event: 'event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask)',
      action: 'Update',
      category: 'Token',
    },
  ],
};
