/** Compound v2 and v3 and their forks. Their logs do not name the token that is lent: the receipt tells. */
import type { Protocol } from '../definition/definition.js';

const lending = { category: 'Lending' } as const;

export const compoundV2: Protocol = {
  style: 'Compound V2 style market',
  events: [
    {
      event: 'event Mint(address minter, uint256 mintAmount, uint256 mintTokens)',
      action: 'Deposit',
      ...lending,
      details: [['Minter', 'minter']],
      tokens: [
        { heading: 'Supply Amount', amount: 'mintAmount', token: { moved: 'in' } },
        { heading: 'Minted Amount', amount: 'mintTokens', token: 'emitter' },
      ],
    },
    {
      event: 'event Redeem(address redeemer, uint256 redeemAmount, uint256 redeemTokens)',
      action: 'Withdraw',
      ...lending,
      details: [['Redeemer', 'redeemer']],
      tokens: [
        { heading: 'Withdraw Amount', amount: 'redeemAmount', token: { moved: 'out' } },
        { heading: 'Redeemed Amount', amount: 'redeemTokens', token: 'emitter' },
      ],
    },
    {
      event:
        'event Borrow(address borrower, uint256 borrowAmount, uint256 accountBorrows, uint256 totalBorrows)',
      action: 'Borrow',
      ...lending,
      details: [
        ['Borrower', 'borrower'],
        ['Account Borrows', 'accountBorrows'],
        ['Total Borrows', 'totalBorrows'],
      ],
      tokens: [{ heading: 'Borrow Amount', amount: 'borrowAmount', token: { moved: 'out' } }],
    },
    {
      event:
        'event RepayBorrow(address payer, address borrower, uint256 repayAmount, uint256 accountBorrows, uint256 totalBorrows)',
      action: 'Repay',
      ...lending,
      details: [
        ['Payer', 'payer'],
        ['Borrower', 'borrower'],
        ['Account Borrows', 'accountBorrows'],
        ['Total Borrows', 'totalBorrows'],
      ],
      tokens: [{ heading: 'Repay Amount', amount: 'repayAmount', token: { moved: 'in' } }],
    },
    {
      event:
        'event LiquidateBorrow(address liquidator, address borrower, uint256 repayAmount, address cTokenCollateral, uint256 seizeTokens)',
      action: 'Liquidate',
      ...lending,
      details: [
        ['Liquidator', 'liquidator'],
        ['Borrower', 'borrower'],
        ['Collateral Market', 'cTokenCollateral'],
      ],
      tokens: [
        { heading: 'Repay Amount', amount: 'repayAmount', token: { moved: 'in' } },
        {
          heading: 'Seized Amount',
          amount: 'seizeTokens',
          token: { argument: 'cTokenCollateral' },
        },
      ],
    },
  ],
};

export const compoundV3: Protocol = {
  style: 'Compound V3 style market',
  events: [
    {
      event: 'event Supply(address indexed from, address indexed dst, uint256 amount)',
      action: 'Deposit',
      ...lending,
      details: [
        ['From', 'from'],
        ['To', 'dst'],
      ],
      tokens: [{ heading: 'Supply Amount', amount: 'amount', token: { moved: 'in' } }],
    },
    {
      event: 'event Withdraw(address indexed src, address indexed to, uint256 amount)',
      action: 'Withdraw',
      ...lending,
      details: [
        ['From', 'src'],
        ['To', 'to'],
      ],
      tokens: [{ heading: 'Withdraw Amount', amount: 'amount', token: { moved: 'out' } }],
    },
    {
      event:
        'event SupplyCollateral(address indexed from, address indexed dst, address indexed asset, uint256 amount)',
      action: 'Deposit',
      ...lending,
      details: [
        ['From', 'from'],
        ['To', 'dst'],
        ['Asset', 'asset'],
      ],
      tokens: [{ heading: 'Supply Amount', amount: 'amount', token: { argument: 'asset' } }],
    },
    {
      event:
        'event WithdrawCollateral(address indexed src, address indexed to, address indexed asset, uint256 amount)',
      action: 'Withdraw',
      ...lending,
      details: [
        ['From', 'src'],
        ['To', 'to'],
        ['Asset', 'asset'],
      ],
      tokens: [{ heading: 'Withdraw Amount', amount: 'amount', token: { argument: 'asset' } }],
    },
  ],
};
