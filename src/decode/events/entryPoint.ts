/** Account abstraction: the ERC-4337 EntryPoint, versions 0.6 to 0.9. */
import type { Protocol } from '../definition/definition.js';

const operation = { action: 'Account Abstraction Transaction', category: 'Others' } as const;

export const entryPoint: Protocol = {
  name: '4337 Entry Point',
  addresses: [
    '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
    '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
  ],
  role: 'entryPoint',
  events: [
    {
      event:
        'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
      name: 'User Operation Event',
      ...operation,
      details: [
        ['Gas Cost', 'actualGasCost'],
        ['Gas Used', 'actualGasUsed'],
        ['Paymaster', 'paymaster'],
        ['Sender', 'sender'],
        ['User Operation Hash', 'userOpHash'],
        ['Success', 'success', 'ifFalse'],
      ],
    },
    {
      event:
        'event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)',
      ...operation,
      details: [
        ['Factory', 'factory'],
        ['Paymaster', 'paymaster'],
        ['Sender', 'sender'],
        ['User Operation Hash', 'userOpHash'],
      ],
    },
    {
      event:
        'event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
      ...operation,
      details: [
        ['Sender', 'sender'],
        ['Nonce', 'nonce'],
        ['Revert Reason', 'revertReason', 'revert'],
        ['User Operation Hash', 'userOpHash'],
      ],
    },
    {
      event:
        'event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)',
      ...operation,
      details: [
        ['Sender', 'sender'],
        ['Nonce', 'nonce'],
        ['Revert Reason', 'revertReason', 'revert'],
        ['User Operation Hash', 'userOpHash'],
      ],
    },
    {
      event:
        'event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)',
      ...operation,
      details: [
        ['Sender', 'sender'],
        ['Nonce', 'nonce'],
        ['User Operation Hash', 'userOpHash'],
      ],
    },
    { event: 'event BeforeExecution()', isSilent: true, isKnown: true },
    {
      event: 'event Deposited(address indexed account, uint256 totalDeposit)',
      action: 'Deposit',
      category: 'Others',
      isKnown: true,
      details: [['Account', 'account']],
      tokens: [{ heading: 'Total Deposit', amount: 'totalDeposit', token: 'native' }],
    },
    {
      event: 'event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)',
      action: 'Withdraw',
      category: 'Others',
      isKnown: true,
      details: [
        ['Account', 'account'],
        ['Withdraw Address', 'withdrawAddress'],
      ],
      tokens: [{ heading: 'Amount', amount: 'amount', token: 'native' }],
    },
    {
      event:
        'event StakeLocked(address indexed account, uint256 totalStaked, uint256 unstakeDelaySec)',
      action: 'Deposit',
      category: 'Staking',
      isKnown: true,
      details: [
        ['Account', 'account'],
        ['Unstake Delay Seconds', 'unstakeDelaySec'],
      ],
      tokens: [{ heading: 'Total Staked', amount: 'totalStaked', token: 'native' }],
    },
    {
      event: 'event StakeUnlocked(address indexed account, uint256 withdrawTime)',
      action: 'Update',
      category: 'Staking',
      isKnown: true,
      details: [
        ['Account', 'account'],
        ['Withdraw Time', 'withdrawTime', 'time'],
      ],
    },
    {
      event:
        'event StakeWithdrawn(address indexed account, address withdrawAddress, uint256 amount)',
      action: 'Withdraw',
      category: 'Staking',
      isKnown: true,
      details: [
        ['Account', 'account'],
        ['Withdraw Address', 'withdrawAddress'],
      ],
      tokens: [{ heading: 'Amount', amount: 'amount', token: 'native' }],
    },
    {
      event: 'event SignatureAggregatorChanged(address indexed aggregator)',
      action: 'Update',
      category: 'Others',
      isKnown: true,
    },
  ],
};
