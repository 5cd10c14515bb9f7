/**
 * Uniswap v4: one manager holds all pools. Amounts are seen from the swapper, so a negative one is paid in; in v3 it is
 * the other way round.
 */
import type { Protocol } from '../definition/definition.js';

export const uniswapV4: Protocol = {
  style: 'Uniswap V4 style pool',
  events: [
    {
      event:
        'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
      action: 'Swapped',
      category: 'DEX',
      details: [
        ['Pool ID', 'id'],
        ['Sender', 'sender'],
        ['Amount 0', 'amount0'],
        ['Amount 1', 'amount1'],
        ['sqrtPriceX96', 'sqrtPriceX96'],
        ['Liquidity', 'liquidity'],
        ['Tick', 'tick'],
        ['Fee', 'fee', 'pips'],
      ],
      tokens: [
        { heading: 'Token In', amount: 'amount0', when: 'negative', token: { moved: 'in' } },
        { heading: 'Token In', amount: 'amount1', when: 'negative', token: { moved: 'in' } },
        { heading: 'Token Out', amount: 'amount0', when: 'positive', token: { moved: 'out' } },
        { heading: 'Token Out', amount: 'amount1', when: 'positive', token: { moved: 'out' } },
      ],
    },
    {
      event:
        'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
      action: {
        argument: 'liquidityDelta',
        positive: 'Add Liquidity',
        negative: 'Remove Liquidity',
      },
      category: 'DEX',
      details: [
        ['Pool ID', 'id'],
        ['Sender', 'sender'],
        ['Tick Lower', 'tickLower'],
        ['Tick Upper', 'tickUpper'],
        ['Liquidity Delta', 'liquidityDelta'],
        ['Salt', 'salt'],
      ],
    },
    {
      event:
        'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
      action: 'Create Pool',
      category: 'DEX',
      details: [
        ['Pool ID', 'id'],
        ['Currency 0', 'currency0'],
        ['Currency 1', 'currency1'],
        ['Fee', 'fee', 'pips'],
        ['Tick Spacing', 'tickSpacing'],
        ['Hooks', 'hooks'],
        ['sqrtPriceX96', 'sqrtPriceX96'],
        ['Tick', 'tick'],
      ],
    },
    {
      event:
        'event Donate(bytes32 indexed id, address indexed sender, uint256 amount0, uint256 amount1)',
      action: 'Add Liquidity',
      category: 'DEX',
      details: [
        ['Pool ID', 'id'],
        ['Sender', 'sender'],
        ['Amount 0', 'amount0'],
        ['Amount 1', 'amount1'],
      ],
    },
  ],
};
