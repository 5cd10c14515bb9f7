/** What a person should read of each event: one log of each, as its protocol emits it. */
import { encodeErrorResult, getAddress, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Chain, describeChain } from '../../../src/decode/index.js';
import {
  addressOf,
  chain,
  decode,
  detailsOf,
  emitter,
  eventOf,
  hash,
  logOf,
} from '../../support/logs.js';

const [alice, bob, carol] = [addressOf('a'), addressOf('b'), addressOf('7')];
const [A, B, C] = [getAddress(alice), getAddress(bob), getAddress(carol)];
const [gold, silver] = [addressOf('1'), addressOf('2')];
const [G, S] = [getAddress(gold), getAddress(silver)];
const max256 = 2n ** 256n - 1n;
const max160 = 2n ** 160n - 1n;

const tokens = [
  { address: gold, name: 'Gold', symbol: 'GLD', decimals: 18, logo: 'https://logo.example/gold' },
  { address: silver, name: 'Silver', symbol: 'SLV', decimals: 6 },
  { address: emitter, name: 'Emitter', symbol: 'EMT', decimals: 2 },
];

interface Golden {
  /** Declaration without names: types and what is indexed. */
  readonly event: string;
  readonly args: readonly unknown[];
  readonly is: readonly [name: string, action: string, category: string];
  readonly protocol?: string;
  readonly details: readonly string[];
  /** heading, value, symbol */
  readonly tokens?: readonly (readonly [string, string, string])[];
  /** heading, id, collection */
  readonly nfts?: readonly (readonly [string, string, string])[];
  readonly from?: `0x${string}`;
  /** Transfers beside the log: token, from, to, amount. */
  readonly moves?: readonly (readonly [`0x${string}`, `0x${string}`, `0x${string}`, bigint])[];
}

const transfer = 'event Transfer(address indexed, address indexed, uint256)';

const standards: readonly Golden[] = [
  {
    event: transfer,
    args: [alice, bob, 1000n],
    is: ['Transfer', 'Transferred', 'Token'],
    protocol: 'Emitter',
    details: [`From: ${A}`, `To: ${B}`],
    tokens: [['Token Amount', '1000', 'EMT']],
  },
  {
    event: transfer,
    args: [alice, bob, 0n],
    is: ['Transfer', 'Transferred', 'Token'],
    details: [`From: ${A}`, `To: ${B}`],
    tokens: [['Token Amount', '0', 'EMT']],
  },
  {
    event: transfer,
    args: [alice, bob, max256],
    is: ['Transfer', 'Transferred', 'Token'],
    details: [`From: ${A}`, `To: ${B}`],
    tokens: [['Token Amount', String(max256), 'EMT']],
  },
  {
    event: 'event Transfer(address indexed, address indexed, uint256 indexed)',
    args: [alice, bob, 0n],
    is: ['Transfer', 'Transferred', 'Token'],
    details: [`From: ${A}`, `To: ${B}`],
    nfts: [['NFT Transferred', '0', 'Emitter']],
  },
  {
    event: 'event Transfer(address, address, uint256)',
    args: [alice, bob, 5n],
    is: ['Transfer', 'Transferred', 'Token'],
    details: [`From: ${A}`, `To: ${B}`],
    tokens: [['Token Amount', '5', 'EMT']],
  },
  {
    event: 'event Approval(address indexed, address indexed, uint256)',
    args: [alice, bob, 7n],
    is: ['Approval', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Spender: ${B}`],
    tokens: [['Value', '7', 'EMT']],
  },
  {
    // A revocation.
    event: 'event Approval(address indexed, address indexed, uint256)',
    args: [alice, bob, 0n],
    is: ['Approval', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Spender: ${B}`],
    tokens: [['Value', '0', 'EMT']],
  },
  {
    event: 'event Approval(address indexed, address indexed, uint256)',
    args: [alice, bob, max256],
    is: ['Approval', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Spender: ${B}`, 'Value: Unlimited'],
  },
  {
    event: 'event Approval(address indexed, address indexed, uint256)',
    args: [alice, bob, max256 - 1n],
    is: ['Approval', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Spender: ${B}`],
    tokens: [['Value', String(max256 - 1n), 'EMT']],
  },
  {
    event: 'event Approval(address indexed, address indexed, uint256 indexed)',
    args: [alice, bob, 0n],
    is: ['Approval', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Spender: ${B}`],
    nfts: [['NFT Approved', '0', 'Emitter']],
  },
  {
    event: 'event ApprovalForAll(address indexed, address indexed, bool)',
    args: [alice, bob, true],
    is: ['Approval For All', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Operator: ${B}`, 'Approved: Yes'],
  },
  {
    event: 'event ApprovalForAll(address indexed, address indexed, bool)',
    args: [alice, bob, false],
    is: ['Approval For All', 'Approval', 'Token'],
    details: [`Owner: ${A}`, `Operator: ${B}`, 'Approved: No'],
  },
  {
    event:
      'event TransferSingle(address indexed, address indexed, address indexed, uint256, uint256)',
    args: [carol, alice, bob, 0n, 12n],
    is: ['Transfer Single', 'Transferred', 'Token'],
    details: [`Operator: ${C}`, `From: ${A}`, `To: ${B}`, 'Amount: 12'],
    nfts: [['NFT Transferred', '0', 'Emitter']],
  },
  {
    event:
      'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
    args: [carol, alice, bob, [3n, 2n ** 200n, 3n], [30n, 0n, 31n]],
    is: ['Transfer Batch', 'Transferred', 'Token'],
    details: [`Operator: ${C}`, `From: ${A}`, `To: ${B}`, 'Amount: 30', 'Amount: 0', 'Amount: 31'],
    nfts: [
      ['NFT Transferred', '3', 'Emitter'],
      ['NFT Transferred', String(2n ** 200n), 'Emitter'],
      ['NFT Transferred', '3', 'Emitter'],
    ],
  },
  {
    event:
      'event TransferBatch(address indexed, address indexed, address indexed, uint256[], uint256[])',
    args: [carol, alice, bob, [], []],
    is: ['Transfer Batch', 'Transferred', 'Token'],
    details: [`Operator: ${C}`, `From: ${A}`, `To: ${B}`],
  },
  {
    event: 'event URI(string, uint256 indexed)',
    args: ['ipfs://deed/{id}', 9n],
    is: ['URI', 'Update', 'Token'],
    details: ['URI: ipfs://deed/{id}', 'Token ID: 9'],
  },
  {
    event: 'event ConsecutiveTransfer(uint256 indexed, uint256, address indexed, address indexed)',
    args: [0n, 4999n, alice, bob],
    is: ['Consecutive Transfer', 'Transferred', 'Token'],
    details: ['First Token ID: 0', 'Last Token ID: 4999', `From: ${A}`, `To: ${B}`],
  },
  {
    event: 'event Deposit(address indexed, uint256)',
    args: [alice, 50n],
    from: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f',
    is: ['Deposit', 'Deposit', 'Token'],
    protocol: '0xe5D7C2a44FfDDf6b295A15c148167daaAf5Cf34f',
    details: [`To: ${A}`],
    tokens: [['Amount', '50', '']],
  },
  {
    event: 'event Withdrawal(address indexed, uint256)',
    args: [alice, 20n],
    from: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f',
    is: ['Withdrawal', 'Withdraw', 'Token'],
    details: [`From: ${A}`],
    tokens: [['Amount', '20', '']],
  },
  {
    event: 'event Deposit(address indexed, uint256)',
    args: [alice, 50n],
    is: ['Deposit', 'Deposit', 'Token'],
    details: [`To: ${A}`, 'Amount: 50'],
  },
  {
    event: 'event Withdrawal(address indexed, uint256)',
    args: [alice, 50n],
    is: ['Withdrawal', 'Withdraw', 'Token'],
    details: [`From: ${A}`, 'Amount: 50'],
  },
  {
    event: 'event Deposit(address indexed, address indexed, uint256, uint256)',
    args: [alice, bob, 100n, 90n],
    moves: [[silver, alice, emitter, 100n]],
    is: ['Deposit', 'Deposit', 'DeFi'],
    details: [`Sender: ${A}`, `Owner: ${B}`],
    tokens: [
      ['Assets', '100', 'SLV'],
      ['Shares', '90', 'EMT'],
    ],
  },
  {
    event: 'event Withdraw(address indexed, address indexed, address indexed, uint256, uint256)',
    args: [alice, bob, carol, 100n, 90n],
    moves: [[silver, emitter, bob, 100n]],
    is: ['Withdraw', 'Withdraw', 'DeFi'],
    details: [`Sender: ${A}`, `Receiver: ${B}`, `Owner: ${C}`],
    tokens: [
      ['Assets', '100', 'SLV'],
      ['Shares', '90', 'EMT'],
    ],
  },
];

const errors = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Broke(uint256)']);
const entryPoint = '0x0000000071727de22e5e9d8baf0edac6f37da032';
const operation = 'Account Abstraction Transaction';

const accounts: readonly Golden[] = [
  {
    event:
      'event UserOperationEvent(bytes32 indexed, address indexed, address indexed, uint256, bool, uint256, uint256)',
    args: [hash('3'), alice, bob, 5n, true, 25590122985514n, 426502n],
    is: ['User Operation Event', operation, 'Others'],
    // Anybody can emit this event: only a known EntryPoint has the name, and no token called like one.
    protocol: getAddress(emitter),
    details: [
      'Gas Cost: 25590122985514',
      'Gas Used: 426502',
      `Paymaster: ${B}`,
      `Sender: ${A}`,
      `User Operation Hash: ${hash('3')}`,
    ],
  },
  {
    event:
      'event UserOperationEvent(bytes32 indexed, address indexed, address indexed, uint256, bool, uint256, uint256)',
    args: [hash('3'), alice, bob, 5n, false, 0n, 0n],
    from: entryPoint,
    is: ['User Operation Event', operation, 'Others'],
    protocol: '4337 Entry Point',
    details: [
      'Gas Cost: 0',
      'Gas Used: 0',
      `Paymaster: ${B}`,
      `Sender: ${A}`,
      `User Operation Hash: ${hash('3')}`,
      'Success: No',
    ],
  },
  {
    event: 'event AccountDeployed(bytes32 indexed, address indexed, address, address)',
    args: [hash('3'), alice, bob, carol],
    from: entryPoint,
    is: ['Account Deployed', operation, 'Others'],
    details: [
      `Factory: ${B}`,
      `Paymaster: ${C}`,
      `Sender: ${A}`,
      `User Operation Hash: ${hash('3')}`,
    ],
  },
  ...(
    [
      ['UserOperationRevertReason', 'User Operation Revert Reason'],
      ['PostOpRevertReason', 'Post Op Revert Reason'],
    ] as const
  ).flatMap(([event, name]) =>
    (
      [
        [{ errorName: 'Error', args: ['no funds\u202e'] }, 'no funds'],
        [{ errorName: 'Panic', args: [17n] }, 'Panic(0x11)'],
        [{ errorName: 'Broke', args: [1n] }, undefined],
      ] as const
    ).map(([error, reason]): Golden => {
      const data = encodeErrorResult({ abi: errors, ...error } as never);
      return {
        event: `event ${event}(bytes32 indexed, address indexed, uint256, bytes)`,
        args: [hash('3'), alice, 5n, data],
        from: entryPoint,
        is: [name, operation, 'Others'],
        details: [
          `Sender: ${A}`,
          'Nonce: 5',
          `Revert Reason: ${reason ?? data}`,
          `User Operation Hash: ${hash('3')}`,
        ],
      };
    }),
  ),
];

const exchanges: readonly Golden[] = [
  {
    event: 'event Swap(address indexed, uint256, uint256, uint256, uint256, address indexed)',
    args: [alice, 0n, 500n, 300n, 0n, bob],
    moves: [
      [silver, alice, emitter, 500n],
      [gold, emitter, bob, 300n],
    ],
    is: ['Swap', 'Swapped', 'DEX'],
    protocol: 'Uniswap V2 style pool',
    details: [`Sender: ${A}`, `To: ${B}`],
    tokens: [
      ['Token In', '500', 'SLV'],
      ['Token Out', '300', 'GLD'],
    ],
  },
  {
    event: 'event Mint(address indexed, uint256, uint256)',
    args: [alice, 10n, 20n],
    moves: [
      [gold, alice, emitter, 10n],
      [silver, alice, emitter, 20n],
    ],
    is: ['Mint', 'Add Liquidity', 'DEX'],
    details: [`Sender: ${A}`],
    tokens: [
      ['Token 0 Deposited', '10', 'GLD'],
      ['Token 1 Deposited', '20', 'SLV'],
    ],
  },
  {
    event: 'event Burn(address indexed, uint256, uint256, address indexed)',
    args: [alice, 10n, 20n, bob],
    moves: [
      [gold, emitter, bob, 10n],
      [silver, emitter, bob, 20n],
    ],
    is: ['Burn', 'Remove Liquidity', 'DEX'],
    details: [`Sender: ${A}`, `To: ${B}`],
    tokens: [
      ['Token 0 Redeemed', '10', 'GLD'],
      ['Token 1 Redeemed', '20', 'SLV'],
    ],
  },
  {
    event: 'event PairCreated(address indexed, address indexed, address, uint256)',
    args: [gold, silver, carol, 44n],
    is: ['Pair Created', 'Create Pool', 'DEX'],
    protocol: 'Uniswap V2 style factory',
    details: [`Token 0: ${G}`, `Token 1: ${S}`, `Pair: ${C}`, 'Pair Number: 44'],
  },
  {
    event: 'event Swap(address indexed, address indexed, uint256, uint256, uint256, uint256)',
    args: [alice, bob, 500n, 0n, 0n, 300n],
    moves: [
      [silver, alice, emitter, 500n],
      [gold, emitter, bob, 300n],
    ],
    is: ['Swap', 'Swapped', 'DEX'],
    protocol: 'Solidly style pool',
    details: [`Sender: ${A}`, `To: ${B}`],
    tokens: [
      ['Token In', '500', 'SLV'],
      ['Token Out', '300', 'GLD'],
    ],
  },
  {
    event: 'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24)',
    args: [alice, bob, -300n, 500n, 2n ** 96n, 77n, -887220],
    moves: [
      [gold, emitter, bob, 300n],
      [silver, alice, emitter, 500n],
    ],
    is: ['Swap', 'Swapped', 'DEX'],
    protocol: 'Uniswap V3 style pool',
    details: [
      `Sender: ${A}`,
      `Recipient: ${B}`,
      'Amount 0: -300',
      'Amount 1: 500',
      'sqrtPriceX96: 79228162514264337593543950336',
      'Liquidity: 77',
      'Tick: -887220',
    ],
    tokens: [
      ['Token In', '500', 'SLV'],
      ['Token Out', '300', 'GLD'],
    ],
  },
  {
    event:
      'event Swap(address indexed, address indexed, int256, int256, uint160, uint128, int24, uint128, uint128)',
    args: [alice, bob, 300n, -500n, 1n, 77n, 5, 1n, 0n],
    moves: [
      [gold, alice, emitter, 300n],
      [silver, emitter, bob, 500n],
    ],
    is: ['Swap', 'Swapped', 'DEX'],
    protocol: 'Pancake V3 style pool',
    details: [
      `Sender: ${A}`,
      `Recipient: ${B}`,
      'Amount 0: 300',
      'Amount 1: -500',
      'sqrtPriceX96: 1',
      'Liquidity: 77',
      'Tick: 5',
      'Protocol Fees Token 0: 1',
      'Protocol Fees Token 1: 0',
    ],
    tokens: [
      ['Token In', '300', 'GLD'],
      ['Token Out', '500', 'SLV'],
    ],
  },
  {
    event:
      'event Mint(address, address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
    args: [alice, bob, -100, 200, 5n, 10n, 0n],
    moves: [[gold, alice, emitter, 10n]],
    is: ['Mint', 'Mint', 'DEX'],
    details: [
      `Sender: ${A}`,
      `Owner: ${B}`,
      'Tick Lower: -100',
      'Tick Upper: 200',
      'Amount: 5',
      'Amount 0: 10',
      'Amount 1: 0',
    ],
    tokens: [['Token 0 Deposited', '10', 'GLD']],
  },
  {
    event: 'event Burn(address indexed, int24 indexed, int24 indexed, uint128, uint256, uint256)',
    args: [alice, -100, 200, 5n, 10n, 20n],
    is: ['Burn', 'Remove Liquidity', 'DEX'],
    details: [
      `Owner: ${A}`,
      'Tick Lower: -100',
      'Tick Upper: 200',
      'Amount: 5',
      'Amount 0: 10',
      'Amount 1: 20',
    ],
  },
  {
    event:
      'event Collect(address indexed, address, int24 indexed, int24 indexed, uint128, uint128)',
    args: [alice, bob, -100, 200, 10n, 20n],
    moves: [
      [gold, emitter, bob, 10n],
      [silver, emitter, bob, 20n],
    ],
    is: ['Collect Fees', 'Claim Rewards', 'DEX'],
    details: [
      `Owner: ${A}`,
      `Recipient: ${B}`,
      'Tick Lower: -100',
      'Tick Upper: 200',
      'Amount 0: 10',
      'Amount 1: 20',
    ],
    tokens: [
      ['Token 0 Collected', '10', 'GLD'],
      ['Token 1 Collected', '20', 'SLV'],
    ],
  },
  {
    event: 'event PoolCreated(address indexed, address indexed, uint24 indexed, int24, address)',
    args: [gold, silver, 500, 10, carol],
    is: ['Pool Created', 'Create Pool', 'DEX'],
    details: [`Token 0: ${G}`, `Token 1: ${S}`, 'Fee: 0.05%', 'Tick Spacing: 10', `Pool: ${C}`],
  },
  ...(
    [
      ['IncreaseLiquidity', 'Increase Liquidity', 'Add Liquidity'],
      ['DecreaseLiquidity', 'Decrease Liquidity', 'Remove Liquidity'],
    ] as const
  ).map(
    ([event, name, action]): Golden => ({
      event: `event ${event}(uint256 indexed, uint128, uint256, uint256)`,
      args: [8n, 5n, 10n, 20n],
      is: [name, action, 'DEX'],
      details: ['Token ID: 8', 'Liquidity: 5', 'Amount 0: 10', 'Amount 1: 20'],
    }),
  ),
  {
    event: 'event Collect(uint256 indexed, address, uint256, uint256)',
    args: [8n, alice, 10n, 20n],
    is: ['Collect', 'Claim Rewards', 'DEX'],
    details: ['Token ID: 8', `Recipient: ${A}`, 'Amount 0: 10', 'Amount 1: 20'],
  },
  {
    // The signs of v4 are the opposite of those of v3.
    event:
      'event Swap(bytes32 indexed, address indexed, int128, int128, uint160, uint128, int24, uint24)',
    args: [hash('4'), alice, -500n, 300n, 1n, 2n, 3, 3000],
    moves: [
      [silver, alice, emitter, 500n],
      [gold, emitter, alice, 300n],
    ],
    is: ['Swap', 'Swapped', 'DEX'],
    details: [
      `Pool ID: ${hash('4')}`,
      `Sender: ${A}`,
      'Amount 0: -500',
      'Amount 1: 300',
      'sqrtPriceX96: 1',
      'Liquidity: 2',
      'Tick: 3',
      'Fee: 0.3%',
    ],
    tokens: [
      ['Token In', '500', 'SLV'],
      ['Token Out', '300', 'GLD'],
    ],
  },
  ...([-1n, 1n] as const).map(
    (delta): Golden => ({
      event:
        'event ModifyLiquidity(bytes32 indexed, address indexed, int24, int24, int256, bytes32)',
      args: [hash('4'), alice, -5, 5, delta, hash('0')],
      is: ['Modify Liquidity', delta < 0n ? 'Remove Liquidity' : 'Add Liquidity', 'DEX'],
      details: [
        `Pool ID: ${hash('4')}`,
        `Sender: ${A}`,
        'Tick Lower: -5',
        'Tick Upper: 5',
        `Liquidity Delta: ${delta}`,
        `Salt: ${hash('0')}`,
      ],
    }),
  ),
  {
    event: 'event Swap(bytes32 indexed, address indexed, address indexed, uint256, uint256)',
    args: [hash('4'), gold, silver, 3n, 4n],
    is: ['Swap', 'Swapped', 'DEX'],
    details: [`Pool ID: ${hash('4')}`, `Token In: ${G}`, `Token Out: ${S}`],
    tokens: [
      ['Token In', '3', 'GLD'],
      ['Token Out', '4', 'SLV'],
    ],
  },
  {
    event: 'event TokenExchange(address indexed, int128, uint256, int128, uint256)',
    args: [alice, 0n, 3n, 1n, 4n],
    moves: [
      [gold, alice, emitter, 3n],
      [silver, emitter, alice, 4n],
    ],
    is: ['Token Exchange', 'Swapped', 'DEX'],
    details: [`Buyer: ${A}`, 'Sold ID: 0', 'Bought ID: 1'],
    tokens: [
      ['Token In', '3', 'GLD'],
      ['Token Out', '4', 'SLV'],
    ],
  },
];

const lending: readonly Golden[] = [
  {
    event: 'event Supply(address indexed, address, address indexed, uint256, uint16 indexed)',
    args: [gold, alice, bob, 9n, 3],
    is: ['Supply', 'Deposit', 'Lending'],
    protocol: 'Aave V3 style pool',
    details: [`Reserve: ${G}`, `User: ${A}`, `On Behalf Of: ${B}`, 'Referral Code: 3'],
    tokens: [['Supply Amount', '9', 'GLD']],
  },
  {
    event: 'event Withdraw(address indexed, address indexed, address indexed, uint256)',
    args: [gold, alice, bob, 9n],
    is: ['Withdraw', 'Withdraw', 'Lending'],
    details: [`Reserve: ${G}`, `User: ${A}`, `To: ${B}`],
    tokens: [['Withdraw Amount', '9', 'GLD']],
  },
  {
    event:
      'event Borrow(address indexed, address, address indexed, uint256, uint8, uint256, uint16 indexed)',
    args: [gold, alice, bob, 9n, 2, 34_567_890_123_456_789_012_345_678n, 0],
    is: ['Borrow', 'Borrow', 'Lending'],
    details: [
      `Reserve: ${G}`,
      `User: ${A}`,
      `On Behalf Of: ${B}`,
      'Borrow Rate: 3.4567%',
      'Interest Rate Mode: 2',
      'Referral Code: 0',
    ],
    tokens: [['Borrow Amount', '9', 'GLD']],
  },
  {
    event: 'event Repay(address indexed, address indexed, address indexed, uint256, bool)',
    args: [gold, alice, bob, 9n, false],
    is: ['Repay', 'Repay', 'Lending'],
    details: [`Reserve: ${G}`, `User: ${A}`, `Repayer: ${B}`, 'Use A Tokens: No'],
    tokens: [['Repay Amount', '9', 'GLD']],
  },
  {
    event:
      'event LiquidationCall(address indexed, address indexed, address indexed, uint256, uint256, address, bool)',
    args: [gold, silver, alice, 9n, 10n, bob, true],
    is: ['Liquidation Call', 'Liquidate', 'Lending'],
    details: [
      `Collateral Asset: ${G}`,
      `Debt Asset: ${S}`,
      `User: ${A}`,
      `Liquidator: ${B}`,
      'Receive A Token: Yes',
    ],
    tokens: [
      ['Collateral Amount', '10', 'GLD'],
      ['Debt Amount', '9', 'SLV'],
    ],
  },
  {
    event:
      'event FlashLoan(address indexed, address, address indexed, uint256, uint8, uint256, uint16 indexed)',
    args: [alice, bob, gold, 9000n, 0, 5n, 1],
    is: ['Flash Loan', 'Flashloan', 'Lending'],
    details: [`Target: ${A}`, `Initiator: ${B}`, 'Interest Rate Mode: 0', 'Referral Code: 1'],
    tokens: [
      ['Flash Loan Amount', '9000', 'GLD'],
      ['Premium Amount', '5', 'GLD'],
    ],
  },
  {
    event: 'event Mint(address, uint256, uint256)',
    args: [alice, 10n, 20n],
    moves: [[gold, alice, emitter, 10n]],
    is: ['Mint', 'Deposit', 'Lending'],
    protocol: 'Compound V2 style market',
    details: [`Minter: ${A}`],
    tokens: [
      ['Supply Amount', '10', 'GLD'],
      ['Minted Amount', '20', 'EMT'],
    ],
  },
  {
    event: 'event Supply(address indexed, address indexed, uint256)',
    args: [alice, bob, 10n],
    moves: [[gold, alice, emitter, 10n]],
    is: ['Supply', 'Deposit', 'Lending'],
    details: [`From: ${A}`, `To: ${B}`],
    tokens: [['Supply Amount', '10', 'GLD']],
  },
];

const permits: readonly Golden[] = [
  {
    event: 'event Approval(address indexed, address indexed, address indexed, uint160, uint48)',
    args: [alice, gold, bob, 6n, 1_700_000_000],
    from: '0x000000000022d473030f116ddee9f6b43ac78ba3',
    is: ['Approval', 'Approval', 'Token'],
    protocol: 'Permit2',
    details: [
      `Owner: ${A}`,
      `Token: ${G}`,
      `Spender: ${B}`,
      'Expiration: 2023-11-14T22:13:20.000Z',
    ],
    tokens: [['Value', '6', 'GLD']],
  },
  {
    event:
      'event Permit(address indexed, address indexed, address indexed, uint160, uint48, uint48)',
    args: [alice, gold, bob, max160, 2 ** 48 - 1, 4],
    is: ['Permit', 'Approval', 'Token'],
    protocol: getAddress(emitter),
    details: [
      `Owner: ${A}`,
      `Token: ${G}`,
      `Spender: ${B}`,
      // Beyond the last date that JavaScript knows.
      'Expiration: 281474976710655',
      'Nonce: 4',
      'Value: Unlimited',
    ],
  },
];

const safes: readonly Golden[] = [
  ...(['Success', 'Failure'] as const).flatMap((end) =>
    ([' indexed', ''] as const).map(
      (indexed): Golden => ({
        event: `event Execution${end}(bytes32${indexed}, uint256)`,
        args: [hash('5'), 3n],
        is: [`Execution ${end}`, 'MultiSig', 'SAFE'],
        protocol: 'Safe style wallet',
        details: [`Transaction Hash: ${hash('5')}`],
        tokens: [['Payment', '3', 'ETH']],
      }),
    ),
  ),
  ...(
    [
      ['AddedOwner', 'Added Owner', 'Owner'],
      ['RemovedOwner', 'Removed Owner', 'Owner'],
      ['EnabledModule', 'Enabled Module', 'Module'],
      ['DisabledModule', 'Disabled Module', 'Module'],
    ] as const
  ).flatMap(([event, name, heading]) =>
    ([' indexed', ''] as const).map(
      (indexed): Golden => ({
        event: `event ${event}(address${indexed})`,
        args: [alice],
        is: [name, 'MultiSig', 'SAFE'],
        details: [`${heading}: ${A}`],
      }),
    ),
  ),
  {
    event: 'event ChangedThreshold(uint256)',
    args: [2n],
    is: ['Changed Threshold', 'MultiSig', 'SAFE'],
    details: ['Threshold: 2'],
  },
  {
    event: 'event SafeReceived(address indexed, uint256)',
    args: [alice, 5n],
    is: ['Safe Received', 'Transferred', 'SAFE'],
    details: [`Sender: ${A}`],
    tokens: [['Value', '5', 'ETH']],
  },
];

const item = '(uint8, address, uint256, uint256)[]';
const received = '(uint8, address, uint256, uint256, address)[]';
const none = addressOf('0');
const markets: readonly Golden[] = [
  {
    event: `event OrderFulfilled(bytes32, address indexed, address indexed, address, ${item}, ${received})`,
    args: [
      hash('6'),
      alice,
      none,
      bob,
      [
        [2, silver, 0n, 1n],
        [3, gold, 12n, 4n],
      ],
      [
        [0, none, 0n, 10n ** 18n, alice],
        [1, gold, 0n, 25n, carol],
      ],
    ],
    from: '0x0000000000000068f116a894984e2db1123eb395',
    is: ['Order Fulfilled', 'Sale', 'NFT Transaction'],
    protocol: 'Seaport',
    details: [`Offerer: ${A}`, `Recipient: ${B}`, `Order Hash: ${hash('6')}`],
    tokens: [
      [`Sent to ${A}`, String(10n ** 18n), 'ETH'],
      [`Sent to ${C}`, '25', 'GLD'],
    ],
    nfts: [
      [`Offered to ${B}`, '0', 'Silver'],
      [`Offered to ${B}`, '12', 'Gold'],
    ],
  },
];

const messageService = '0x508ca82df566dcd1b0de8296e70a96332cd644ec';
const tokenBridge = '0x353012dc4a9a6cf55c941badc267f82004a8ceb9';
const bridges: readonly Golden[] = [
  {
    event:
      'event MessageSent(address indexed, address indexed, uint256, uint256, uint256, bytes, bytes32 indexed)',
    args: [alice, bob, 1n, 2n, 3n, '0x010203', hash('8')],
    from: messageService,
    is: ['Message Sent', 'Transferred', 'Bridge'],
    protocol: 'Message Service',
    details: [
      `From: ${A}`,
      `To: ${B}`,
      'Nonce: 3',
      'Calldata Length: 3',
      `Message Hash: ${hash('8')}`,
    ],
    tokens: [
      ['Value', '2', 'ETH'],
      ['Fee', '1', 'ETH'],
    ],
  },
  {
    event: 'event MessageClaimed(bytes32 indexed)',
    args: [hash('8')],
    from: messageService,
    is: ['Message Claimed', 'Received Bridge', 'Bridge'],
    details: [`Message Hash: ${hash('8')}`],
  },
  {
    event: 'event RollingHashUpdated(uint256 indexed, bytes32 indexed)',
    args: [8n, hash('8')],
    from: messageService,
    is: ['Rolling Hash Updated', 'Update', 'Bridge'],
    details: ['Message Number: 8', `Rolling Hash: ${hash('8')}`],
  },
  {
    event: 'event L1L2MessageHashesAddedToInbox(bytes32[])',
    args: [[hash('8'), hash('9')]],
    from: messageService,
    is: ['L1 L2 Message Hashes Added To Inbox', 'Update', 'Bridge'],
    details: ['Message Hashes: 2'],
  },
  {
    event: 'event RollingHashUpdated(uint256 indexed, bytes32 indexed, bytes32 indexed)',
    args: [8n, hash('8'), hash('9')],
    from: messageService,
    is: ['Rolling Hash Updated', 'Update', 'Bridge'],
    details: ['Message Number: 8', `Rolling Hash: ${hash('8')}`, `Message Hash: ${hash('9')}`],
  },
  {
    event: 'event L2MerkleRootAdded(bytes32 indexed, uint256 indexed)',
    args: [hash('8'), 5n],
    from: messageService,
    is: ['L2 Merkle Root Added', 'Update', 'Bridge'],
    details: [`L2 Merkle Root: ${hash('8')}`, 'Tree Depth: 5'],
  },
  {
    event: 'event L2MessagingBlockAnchored(uint256 indexed)',
    args: [5n],
    from: messageService,
    is: ['L2 Messaging Block Anchored', 'Update', 'Bridge'],
    details: ['L2 Block: 5'],
  },
  ...(
    [
      'V2(address indexed, address indexed, address indexed, uint256)',
      '(address indexed, address, address indexed, uint256 indexed)',
    ] as const
  ).map(
    (types): Golden => ({
      event: `event BridgingInitiated${types}`,
      args: [alice, bob, gold, 7n],
      from: tokenBridge,
      is: ['Bridging Initiated', 'Transferred', 'Bridge'],
      protocol: 'Token Bridge',
      details: [`Sender: ${A}`, `Recipient: ${B}`, `Token: ${G}`],
      tokens: [['Amount', '7', 'GLD']],
    }),
  ),
  ...(
    [
      'V2(address indexed, address indexed, uint256, address indexed)',
      '(address indexed, address indexed, uint256 indexed, address)',
    ] as const
  ).map(
    (types): Golden => ({
      event: `event BridgingFinalized${types}`,
      args: [silver, gold, 7n, bob],
      is: ['Bridging Finalized', 'Received Bridge', 'Bridge'],
      protocol: getAddress(emitter),
      details: [`Native Token: ${S}`, `Bridged Token: ${G}`, `Recipient: ${B}`],
      tokens: [['Amount', '7', 'GLD']],
    }),
  ),
  {
    event: 'event NewToken(address indexed)',
    args: [gold],
    from: tokenBridge,
    is: ['New Token', 'Update', 'Bridge'],
    details: [`Token: ${G}`],
  },
  {
    event: 'event NewTokenDeployed(address indexed, address indexed)',
    args: [gold, silver],
    from: tokenBridge,
    is: ['New Token Deployed', 'Update', 'Bridge'],
    details: [`Bridged Token: ${G}`, `Native Token: ${S}`],
  },
  {
    event: 'event TokenDeployed(address indexed)',
    args: [gold],
    from: tokenBridge,
    is: ['Token Deployed', 'Update', 'Bridge'],
    details: [`Token: ${G}`],
  },
  {
    event: 'event DeploymentConfirmed(address[], address indexed)',
    args: [[gold, silver], alice],
    from: tokenBridge,
    is: ['Deployment Confirmed', 'Update', 'Bridge'],
    details: [`Token: ${G}`, `Token: ${S}`, `Confirmed By: ${A}`],
  },
  {
    event: 'event OFTSent(bytes32 indexed, uint32, address indexed, uint256, uint256)',
    args: [hash('8'), 30183, alice, 10n, 9n],
    is: ['OFT Sent', 'Transferred', 'Bridge'],
    moves: [[emitter, alice, none, 10n]],
    details: [
      `From: ${A}`,
      'Destination Endpoint ID: 30183',
      `GUID: ${hash('8')}`,
      'Amount Received: 9',
    ],
    tokens: [['Amount', '10', 'EMT']],
  },
];

const names: readonly Golden[] = [
  {
    event:
      'event NameRegistered(string, bytes32 indexed, address indexed, uint256, uint256, uint256)',
    args: ['al\u202eice\u0000', hash('8'), alice, 5n, 0n, 1_700_000_000n],
    is: ['Name Registered', 'Mint', 'Others'],
    details: [
      'Name: alice',
      `Label: ${hash('8')}`,
      `Owner: ${A}`,
      'Expires: 2023-11-14T22:13:20.000Z',
    ],
    tokens: [
      ['Base Cost', '5', 'ETH'],
      ['Premium', '0', 'ETH'],
    ],
  },
  {
    event: 'event NameWrapped(bytes32 indexed, bytes, address, uint32, uint64)',
    args: [hash('8'), '0x05616c6963650365746800', alice, 1, 0n],
    is: ['Name Wrapped', 'Update', 'Others'],
    details: [
      `Node: ${hash('8')}`,
      'Name: alice.eth',
      `Owner: ${A}`,
      'Fuses: 1',
      'Expiry: 1970-01-01T00:00:00.000Z',
    ],
  },
  {
    event: 'event TextChanged(bytes32 indexed, string indexed, string, string)',
    args: [hash('8'), 'url', 'url', 'https://a.example'],
    is: ['Text Changed', 'Update', 'Others'],
    details: [`Node: ${hash('8')}`, 'Key: url', 'Value: https://a.example'],
  },
];

const goldens = {
  standards,
  accounts,
  exchanges,
  lending,
  permits,
  safes,
  markets,
  bridges,
  names,
};

describe.each(Object.entries(goldens))('%s', (_, cases) => {
  test.each(cases.map((golden) => [golden.event, golden] as const))('%s', (_event, golden) => {
    const log = logOf(golden.event, golden.args, golden.from);
    const moves = (golden.moves ?? []).map(([token, from, to, amount]) =>
      logOf(transfer, [from, to, amount], token),
    );
    const { events } = decode([...moves, log], { tokens });
    expect(events.length).toBe(moves.length + 1);
    const event = events[moves.length] as (typeof events)[number];
    expect([event.name, event.action, event.category]).toEqual(golden.is);
    if (golden.protocol) expect(event.protocol.name).toBe(golden.protocol);
    expect(detailsOf(event)).toEqual(golden.details);
    for (const { value, type } of event.details) {
      expect(type).toBe(/^0x([\da-fA-F]{40}|[\da-f]{64})$/.test(value) ? 'address' : 'text');
    }
    expect(event.tokens?.map((token) => [token.heading, token.value, token.ticker_symbol])).toEqual(
      golden.tokens,
    );
    expect(
      event.nfts?.map((nft) => [nft.heading, nft.token_identifier, nft.collection_name]),
    ).toEqual(golden.nfts);
  });
});

const wrapped = 'event NameWrapped(bytes32 indexed, bytes, address, uint32, uint64)';
const dnsName = (...labels: string[]): `0x${string}` =>
  `0x${labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)]).toString('hex')).join('')}00`;
test.each([
  [dnsName('a', 'linea', 'eth'), 'a.linea.eth'],
  [dnsName('al\u0000ice', 'eth'), 'alice.eth'],
  ['0x00', ''],
  // A dot in a label, a name without an end, a label beyond the end, more behind the end, no text, a label too long.
  [dnsName('alice.eth', 'evil'), undefined],
  ['0x0561', undefined],
  ['0x05616c696365', undefined],
  ['0x05616c69636500ff', undefined],
  ['0x02c32800', undefined],
  [dnsName('x'.repeat(64)), undefined],
  ['0x', undefined],
] as const)('the name %s is shown as %s', (bytes, shown) => {
  const { details } = eventOf(logOf(wrapped, [hash('8'), bytes, alice, 1, 0n]));
  const length = (bytes.length - 2) / 2;
  expect(details[1]?.value).toBe(shown ?? (length > 64 ? `${length} bytes` : bytes));
});

test('what only known contracts mean is nothing elsewhere', () => {
  const deposited = ['event Deposited(address indexed, uint256)', [alice, 5n]] as const;
  expect(decode([logOf(...deposited)]).events).toEqual([]);
  expect(eventOf(logOf(...deposited), { unknown: true }).name).toBe('Unknown Event');
  const event = eventOf(logOf(...deposited, entryPoint));
  expect(event.protocol).toEqual({ name: '4337 Entry Point', logo: '' });
  expect(event.tokens).toMatchObject([{ heading: 'Total Deposit', ticker_symbol: 'ETH' }]);
});

test('a chain can name contracts of its own', () => {
  const other: Chain = {
    ...describeChain({ name: 'dev', id: 31337 }),
    contracts: { wrappedNative: [getAddress(emitter)], entryPoint: [carol] },
  };
  const deposit = logOf('event Deposit(address indexed, uint256)', [alice, 50n]);
  expect(eventOf(deposit, { chain: other, tokens }).tokens).toMatchObject([{ value: '50' }]);
  const locked = logOf(
    'event StakeLocked(address indexed, uint256, uint256)',
    [alice, 1n, 2n],
    carol,
  );
  expect(eventOf(locked, { chain: other }).protocol.name).toBe('4337 Entry Point');
});

test('the public chains are known, others have Ether', () => {
  expect(chain).toMatchObject({ name: 'l2-mainnet', id: 59144 });
  expect(chain.explorers.length).toBe(1);
  const sepolia = describeChain({ name: 'l2-sepolia', id: 59141 });
  expect(sepolia.contracts.messageService).toEqual(['0x971e727e956690b9957be6d51Ec16E73AcAC83A7']);
  const dev = describeChain({ name: 'dev', id: 31337 });
  expect(dev).toEqual({
    name: 'dev',
    id: 31337,
    nativeToken: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    explorers: [],
    contracts: {},
  });
});
