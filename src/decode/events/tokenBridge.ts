/** The canonical token bridge between L1 and L2, today's events and those before them. */
import type { Protocol, ShownEvent } from '../definition/definition.js';

const update = { action: 'Update', category: 'Bridge', isKnown: true } as const;

const initiated: Pick<ShownEvent, 'name' | 'action' | 'category' | 'details' | 'tokens'> = {
  name: 'Bridging Initiated',
  action: 'Transferred',
  category: 'Bridge',
  details: [
    ['Sender', 'sender'],
    ['Recipient', 'recipient'],
    ['Token', 'token'],
  ],
  tokens: [{ heading: 'Amount', amount: 'amount', token: { argument: 'token' } }],
};

const finalized: Pick<ShownEvent, 'name' | 'action' | 'category' | 'details' | 'tokens'> = {
  name: 'Bridging Finalized',
  action: 'Received Bridge',
  category: 'Bridge',
  details: [
    ['Native Token', 'nativeToken'],
    ['Bridged Token', 'bridgedToken'],
    ['Recipient', 'recipient'],
  ],
  tokens: [{ heading: 'Amount', amount: 'amount', token: { argument: 'bridgedToken' } }],
};

export const tokenBridge: Protocol = {
  name: 'Token Bridge',
  role: 'tokenBridge',
  events: [
    {
      event:
        'event BridgingInitiatedV2(address indexed sender, address indexed recipient, address indexed token, uint256 amount)',
      ...initiated,
    },
    {
      event:
        'event BridgingFinalizedV2(address indexed nativeToken, address indexed bridgedToken, uint256 amount, address indexed recipient)',
      ...finalized,
    },
    {
      event:
        'event BridgingInitiated(address indexed sender, address recipient, address indexed token, uint256 indexed amount)',
      ...initiated,
    },
    {
      event:
        'event BridgingFinalized(address indexed nativeToken, address indexed bridgedToken, uint256 indexed amount, address recipient)',
      ...finalized,
    },
    { event: 'event NewToken(address indexed token)', ...update },
    {
      event: 'event NewTokenDeployed(address indexed bridgedToken, address indexed nativeToken)',
      ...update,
    },
    { event: 'event TokenDeployed(address indexed token)', ...update },
    {
      event: 'event DeploymentConfirmed(address[] tokens, address indexed confirmedBy)',
      ...update,
      details: [
        ['Token', 'tokens', 'each'],
        ['Confirmed By', 'confirmedBy'],
      ],
    },
  ],
};
