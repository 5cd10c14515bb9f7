/** Owners, roles, upgrades and votes of contracts of any kind. */
import type { Protocol } from '../definition/definition.js';

const update = { action: 'Update', category: 'Others' } as const;

export const administration: Protocol = {
  events: [
    {
      event: 'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
      ...update,
    },
    {
      event:
        'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
      ...update,
    },
    {
      event:
        'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
      ...update,
    },
    { event: 'event Upgraded(address indexed implementation)', ...update },
    { event: 'event AdminChanged(address previousAdmin, address newAdmin)', ...update },
    { event: 'event Initialized(uint64 version)', isSilent: true },
    { event: 'event Initialized(uint8 version)', isSilent: true },
    { event: 'event Paused(address account)', ...update },
    { event: 'event Unpaused(address account)', ...update },
    {
      event:
        'event DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)',
      ...update,
    },
    {
      event:
        'event DelegateVotesChanged(address indexed delegate, uint256 previousBalance, uint256 newBalance)',
      ...update,
    },
    {
      event:
        'event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)',
      ...update,
    },
  ],
};
