/** Safe, all versions: up to 1.3 nothing is indexed, from 1.4.1 on the first argument is. */
import type { Protocol, ShownEvent } from '../definition/definition.js';

const multiSig = { action: 'MultiSig', category: 'SAFE' } as const;

const execution: Pick<ShownEvent, 'action' | 'category' | 'details' | 'tokens'> = {
  ...multiSig,
  details: [['Transaction Hash', 'txHash']],
  tokens: [{ heading: 'Payment', amount: 'payment', token: 'native' }],
};

export const safe: Protocol = {
  style: 'Safe style wallet',
  events: [
    { event: 'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)', ...execution },
    { event: 'event ExecutionSuccess(bytes32 txHash, uint256 payment)', ...execution },
    { event: 'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)', ...execution },
    { event: 'event ExecutionFailure(bytes32 txHash, uint256 payment)', ...execution },
    { event: 'event ExecutionFromModuleSuccess(address indexed module)', ...multiSig },
    { event: 'event ExecutionFromModuleFailure(address indexed module)', ...multiSig },
    {
      event: 'event SafeReceived(address indexed sender, uint256 value)',
      action: 'Transferred',
      category: 'SAFE',
      details: [['Sender', 'sender']],
      tokens: [{ heading: 'Value', amount: 'value', token: 'native' }],
    },
    {
      event:
        'event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)',
      ...multiSig,
      details: [
        ['Initiator', 'initiator'],
        ['Owner', 'owners', 'each'],
        ['Threshold', 'threshold'],
        ['Initializer', 'initializer'],
        ['Fallback Handler', 'fallbackHandler'],
      ],
    },
    { event: 'event AddedOwner(address indexed owner)', ...multiSig },
    { event: 'event AddedOwner(address owner)', ...multiSig },
    { event: 'event RemovedOwner(address indexed owner)', ...multiSig },
    { event: 'event RemovedOwner(address owner)', ...multiSig },
    { event: 'event ChangedThreshold(uint256 threshold)', ...multiSig },
    { event: 'event EnabledModule(address indexed module)', ...multiSig },
    { event: 'event EnabledModule(address module)', ...multiSig },
    { event: 'event DisabledModule(address indexed module)', ...multiSig },
    { event: 'event DisabledModule(address module)', ...multiSig },
    {
      event: 'event ApproveHash(bytes32 indexed approvedHash, address indexed owner)',
      ...multiSig,
    },
    { event: 'event SignMsg(bytes32 indexed msgHash)', ...multiSig },
    {
      event:
        'event SafeMultiSigTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, bytes additionalInfo)',
      ...multiSig,
      details: [
        ['To', 'to'],
        ['Operation', 'operation'],
        ['Data', 'data'],
        ['Gas Token', 'gasToken'],
        ['Refund Receiver', 'refundReceiver'],
      ],
      tokens: [{ heading: 'Value', amount: 'value', token: 'native' }],
    },
    {
      event:
        'event SafeModuleTransaction(address module, address to, uint256 value, bytes data, uint8 operation)',
      ...multiSig,
      details: [
        ['Module', 'module'],
        ['To', 'to'],
        ['Operation', 'operation'],
        ['Data', 'data'],
      ],
      tokens: [{ heading: 'Value', amount: 'value', token: 'native' }],
    },
  ],
};

export const safeFactory: Protocol = {
  style: 'Safe style factory',
  events: [
    { event: 'event ProxyCreation(address indexed proxy, address singleton)', ...multiSig },
    { event: 'event ProxyCreation(address proxy, address singleton)', ...multiSig },
  ],
};
