/** Bridges of third parties: CCTP, LayerZero OFT, Across. */
import type { DetailDefinition, Protocol } from '../definition/definition.js';

const sent = { action: 'Transferred', category: 'Bridge' } as const;
const received = { action: 'Received Bridge', category: 'Bridge' } as const;

const burnDetails: readonly DetailDefinition[] = [
  ['Depositor', 'depositor'],
  ['Burn Token', 'burnToken'],
  ['Mint Recipient', 'mintRecipient'],
  ['Destination Domain', 'destinationDomain'],
];
const mintDetails: readonly DetailDefinition[] = [
  ['Mint Recipient', 'mintRecipient'],
  ['Mint Token', 'mintToken'],
];

export const cctp: Protocol = {
  style: 'CCTP style bridge',
  events: [
    {
      event:
        'event DepositForBurn(uint64 indexed nonce, address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller)',
      ...sent,
      details: [...burnDetails, ['Nonce', 'nonce']],
      tokens: [{ heading: 'Amount', amount: 'amount', token: { argument: 'burnToken' } }],
    },
    {
      event:
        'event MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken)',
      ...received,
      details: mintDetails,
      tokens: [{ heading: 'Amount', amount: 'amount', token: { argument: 'mintToken' } }],
    },
    {
      event:
        'event DepositForBurn(address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller, uint256 maxFee, uint32 indexed minFinalityThreshold, bytes hookData)',
      ...sent,
      details: burnDetails,
      tokens: [
        { heading: 'Amount', amount: 'amount', token: { argument: 'burnToken' } },
        { heading: 'Max Fee', amount: 'maxFee', token: { argument: 'burnToken' } },
      ],
    },
    {
      event:
        'event MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken, uint256 feeCollected)',
      ...received,
      details: mintDetails,
      tokens: [
        { heading: 'Amount', amount: 'amount', token: { argument: 'mintToken' } },
        { heading: 'Fee Collected', amount: 'feeCollected', token: { argument: 'mintToken' } },
      ],
    },
  ],
};

/** The emitter is the token itself, or an adapter that holds another. */
export const oft: Protocol = {
  events: [
    {
      event:
        'event OFTSent(bytes32 indexed guid, uint32 dstEid, address indexed fromAddress, uint256 amountSentLD, uint256 amountReceivedLD)',
      ...sent,
      details: [
        ['From', 'fromAddress'],
        ['Destination Endpoint ID', 'dstEid'],
        ['GUID', 'guid'],
        ['Amount Received', 'amountReceivedLD'],
      ],
      tokens: [{ heading: 'Amount', amount: 'amountSentLD', token: { moved: 'in', own: true } }],
    },
    {
      event:
        'event OFTReceived(bytes32 indexed guid, uint32 srcEid, address indexed toAddress, uint256 amountReceivedLD)',
      ...received,
      details: [
        ['To', 'toAddress'],
        ['Source Endpoint ID', 'srcEid'],
        ['GUID', 'guid'],
      ],
      tokens: [
        { heading: 'Amount', amount: 'amountReceivedLD', token: { moved: 'out', own: true } },
      ],
    },
  ],
};

export const across: Protocol = {
  style: 'Across style bridge',
  events: [
    {
      event:
        'event V3FundsDeposited(address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint32 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, address indexed depositor, address recipient, address exclusiveRelayer, bytes message)',
      name: 'Funds Deposited',
      ...sent,
      details: [
        ['Depositor', 'depositor'],
        ['Recipient', 'recipient'],
        ['Destination Chain ID', 'destinationChainId'],
        ['Deposit ID', 'depositId'],
        ['Output Token', 'outputToken'],
        ['Output Amount', 'outputAmount'],
      ],
      tokens: [
        { heading: 'Input Amount', amount: 'inputAmount', token: { argument: 'inputToken' } },
      ],
    },
    {
      event:
        'event FilledV3Relay(address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint32 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, address exclusiveRelayer, address indexed relayer, address depositor, address recipient, bytes message, (address updatedRecipient, bytes updatedMessage, uint256 updatedOutputAmount, uint8 fillType) relayExecutionInfo)',
      name: 'Filled Relay',
      ...received,
      details: [
        ['Relayer', 'relayer'],
        ['Depositor', 'depositor'],
        ['Recipient', 'recipient'],
        ['Origin Chain ID', 'originChainId'],
        ['Deposit ID', 'depositId'],
        ['Input Token', 'inputToken'],
        ['Input Amount', 'inputAmount'],
      ],
      tokens: [
        { heading: 'Output Amount', amount: 'outputAmount', token: { argument: 'outputToken' } },
      ],
    },
  ],
};
