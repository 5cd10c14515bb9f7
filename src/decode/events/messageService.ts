/** The message service between L1 and L2, on either side. */
import type { Protocol } from '../definition/definition.js';

const update = { action: 'Update', category: 'Bridge', isKnown: true } as const;

export const messageService: Protocol = {
  name: 'Message Service',
  role: 'messageService',
  events: [
    {
      event:
        'event MessageSent(address indexed _from, address indexed _to, uint256 _fee, uint256 _value, uint256 _nonce, bytes _calldata, bytes32 indexed _messageHash)',
      action: 'Transferred',
      category: 'Bridge',
      details: [
        ['From', '_from'],
        ['To', '_to'],
        ['Nonce', '_nonce'],
        ['Calldata Length', '_calldata', 'length'],
        ['Message Hash', '_messageHash'],
      ],
      tokens: [
        { heading: 'Value', amount: '_value', token: 'native' },
        { heading: 'Fee', amount: '_fee', token: 'native' },
      ],
    },
    {
      event: 'event MessageClaimed(bytes32 indexed _messageHash)',
      action: 'Received Bridge',
      category: 'Bridge',
    },
    {
      event: 'event RollingHashUpdated(uint256 indexed messageNumber, bytes32 indexed rollingHash)',
      ...update,
    },
    {
      event: 'event L1L2MessageHashesAddedToInbox(bytes32[] messageHashes)',
      ...update,
      details: [['Message Hashes', 'messageHashes', 'length']],
    },
    {
      event:
        'event RollingHashUpdated(uint256 indexed messageNumber, bytes32 indexed rollingHash, bytes32 indexed messageHash)',
      ...update,
    },
    {
      event: 'event L2MerkleRootAdded(bytes32 indexed l2MerkleRoot, uint256 indexed treeDepth)',
      ...update,
    },
    { event: 'event L2MessagingBlockAnchored(uint256 indexed l2Block)', ...update },
  ],
};
