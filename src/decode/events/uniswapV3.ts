/** Uniswap v3, its position manager and forks. A positive amount is paid into the pool. */
import type { DetailDefinition, Protocol, TokenDefinition } from '../definition/definition.js';

const swapDetails: readonly DetailDefinition[] = [
  ['Sender', 'sender'],
  ['Recipient', 'recipient'],
  ['Amount 0', 'amount0'],
  ['Amount 1', 'amount1'],
  ['sqrtPriceX96', 'sqrtPriceX96'],
  ['Liquidity', 'liquidity'],
  ['Tick', 'tick'],
];

const swapTokens: readonly TokenDefinition[] = [
  { heading: 'Token In', amount: 'amount0', when: 'positive', token: { moved: 'in', side: 0 } },
  { heading: 'Token In', amount: 'amount1', when: 'positive', token: { moved: 'in', side: 1 } },
  { heading: 'Token Out', amount: 'amount0', when: 'negative', token: { moved: 'out', side: 0 } },
  { heading: 'Token Out', amount: 'amount1', when: 'negative', token: { moved: 'out', side: 1 } },
];

const amounts = [
  ['Amount 0', 'amount0'],
  ['Amount 1', 'amount1'],
] as const;

const position: readonly DetailDefinition[] = [
  ['Token ID', 'tokenId'],
  ['Liquidity', 'liquidity'],
  ...amounts,
];

export const uniswapV3: Protocol = {
  style: 'Uniswap V3 style pool',
  events: [
    {
      event:
        'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
      action: 'Swapped',
      category: 'DEX',
      details: swapDetails,
      tokens: swapTokens,
    },
    {
      event:
        'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
      action: 'Mint',
      category: 'DEX',
      details: [
        ['Sender', 'sender'],
        ['Owner', 'owner'],
        ['Tick Lower', 'tickLower'],
        ['Tick Upper', 'tickUpper'],
        ['Amount', 'amount'],
        ...amounts,
      ],
      tokens: [
        {
          heading: 'Token 0 Deposited',
          amount: 'amount0',
          when: 'positive',
          token: { moved: 'in', side: 0 },
        },
        {
          heading: 'Token 1 Deposited',
          amount: 'amount1',
          when: 'positive',
          token: { moved: 'in', side: 1 },
        },
      ],
    },
    {
      event:
        'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
      action: 'Remove Liquidity',
      category: 'DEX',
      details: [
        ['Owner', 'owner'],
        ['Tick Lower', 'tickLower'],
        ['Tick Upper', 'tickUpper'],
        ['Amount', 'amount'],
        ...amounts,
      ],
    },
    {
      event:
        'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
      name: 'Collect Fees',
      action: 'Claim Rewards',
      category: 'DEX',
      details: [
        ['Owner', 'owner'],
        ['Recipient', 'recipient'],
        ['Tick Lower', 'tickLower'],
        ['Tick Upper', 'tickUpper'],
        ...amounts,
      ],
      tokens: [
        {
          heading: 'Token 0 Collected',
          amount: 'amount0',
          when: 'positive',
          token: { moved: 'out', side: 0 },
        },
        {
          heading: 'Token 1 Collected',
          amount: 'amount1',
          when: 'positive',
          token: { moved: 'out', side: 1 },
        },
      ],
    },
    {
      event:
        'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
      name: 'Flash Loan',
      action: 'Flashloan',
      category: 'DEX',
      details: [
        ['Sender', 'sender'],
        ['Recipient', 'recipient'],
        ...amounts,
        ['Paid 0', 'paid0'],
        ['Paid 1', 'paid1'],
      ],
    },
    {
      event: 'event Initialize(uint160 sqrtPriceX96, int24 tick)',
      action: 'Create Pool',
      category: 'DEX',
      details: [
        ['sqrtPriceX96', 'sqrtPriceX96'],
        ['Tick', 'tick'],
      ],
    },
  ],
};

export const uniswapV3Factory: Protocol = {
  style: 'Uniswap V3 style factory',
  events: [
    {
      event:
        'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
      action: 'Create Pool',
      category: 'DEX',
      details: [
        ['Token 0', 'token0'],
        ['Token 1', 'token1'],
        ['Fee', 'fee', 'pips'],
        ['Tick Spacing', 'tickSpacing'],
        ['Pool', 'pool'],
      ],
    },
  ],
};

export const uniswapV3Positions: Protocol = {
  events: [
    {
      event:
        'event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
      action: 'Add Liquidity',
      category: 'DEX',
      details: position,
    },
    {
      event:
        'event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
      action: 'Remove Liquidity',
      category: 'DEX',
      details: position,
    },
    {
      event:
        'event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)',
      action: 'Claim Rewards',
      category: 'DEX',
      details: [['Token ID', 'tokenId'], ['Recipient', 'recipient'], ...amounts],
    },
  ],
};

export const pancakeV3: Protocol = {
  style: 'Pancake V3 style pool',
  events: [
    {
      event:
        'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
      action: 'Swapped',
      category: 'DEX',
      details: [
        ...swapDetails,
        ['Protocol Fees Token 0', 'protocolFeesToken0'],
        ['Protocol Fees Token 1', 'protocolFeesToken1'],
      ],
      tokens: swapTokens,
    },
  ],
};
