/** Pools of Balancer v2 and Curve. */
import type { Protocol } from '../definition/definition.js';

export const balancerV2: Protocol = {
  style: 'Balancer V2 style vault',
  events: [
    {
      event:
        'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
      action: 'Swapped',
      category: 'DEX',
      details: [
        ['Pool ID', 'poolId'],
        ['Token In', 'tokenIn'],
        ['Token Out', 'tokenOut'],
      ],
      tokens: [
        { heading: 'Token In', amount: 'amountIn', token: { argument: 'tokenIn' } },
        { heading: 'Token Out', amount: 'amountOut', token: { argument: 'tokenOut' } },
      ],
    },
  ],
};

export const curve: Protocol = {
  style: 'Curve style pool',
  events: [
    {
      event:
        'event TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)',
      action: 'Swapped',
      category: 'DEX',
      details: [
        ['Buyer', 'buyer'],
        ['Sold ID', 'sold_id'],
        ['Bought ID', 'bought_id'],
      ],
      tokens: [
        { heading: 'Token In', amount: 'tokens_sold', token: { moved: 'in' } },
        { heading: 'Token Out', amount: 'tokens_bought', token: { moved: 'out' } },
      ],
    },
  ],
};
