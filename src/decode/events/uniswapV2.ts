/** Uniswap v2 and its forks, and the pools of Solidly. */
import type { Protocol } from '../definition/definition.js';

const swap = {
  action: 'Swapped',
  category: 'DEX',
  details: [
    ['Sender', 'sender'],
    ['To', 'to'],
  ],
  tokens: [
    { heading: 'Token In', amount: 'amount0In', when: 'positive', token: { moved: 'in', side: 0 } },
    { heading: 'Token In', amount: 'amount1In', when: 'positive', token: { moved: 'in', side: 1 } },
    {
      heading: 'Token Out',
      amount: 'amount0Out',
      when: 'positive',
      token: { moved: 'out', side: 0 },
    },
    {
      heading: 'Token Out',
      amount: 'amount1Out',
      when: 'positive',
      token: { moved: 'out', side: 1 },
    },
  ],
} as const;

export const uniswapV2: Protocol = {
  style: 'Uniswap V2 style pool',
  events: [
    {
      event:
        'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
      ...swap,
    },
    {
      event: 'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
      action: 'Add Liquidity',
      category: 'DEX',
      details: [['Sender', 'sender']],
      tokens: [
        { heading: 'Token 0 Deposited', amount: 'amount0', token: { moved: 'in', side: 0 } },
        { heading: 'Token 1 Deposited', amount: 'amount1', token: { moved: 'in', side: 1 } },
      ],
    },
    {
      event:
        'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
      action: 'Remove Liquidity',
      category: 'DEX',
      details: [
        ['Sender', 'sender'],
        ['To', 'to'],
      ],
      tokens: [
        { heading: 'Token 0 Redeemed', amount: 'amount0', token: { moved: 'out', side: 0 } },
        { heading: 'Token 1 Redeemed', amount: 'amount1', token: { moved: 'out', side: 1 } },
      ],
    },
    { event: 'event Sync(uint112 reserve0, uint112 reserve1)', isSilent: true },
  ],
};

export const uniswapV2Factory: Protocol = {
  style: 'Uniswap V2 style factory',
  events: [
    {
      event:
        'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 index)',
      action: 'Create Pool',
      category: 'DEX',
      details: [
        ['Token 0', 'token0'],
        ['Token 1', 'token1'],
        ['Pair', 'pair'],
        ['Pair Number', 'index'],
      ],
    },
  ],
};

export const solidly: Protocol = {
  style: 'Solidly style pool',
  events: [
    {
      event:
        'event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)',
      ...swap,
    },
    { event: 'event Sync(uint256 reserve0, uint256 reserve1)', isSilent: true },
  ],
};
