/** Aave v3 and its forks. */
import type { Protocol } from '../definition/definition.js';

const reserve = { argument: 'reserve' } as const;

export const aaveV3: Protocol = {
  style: 'Aave V3 style pool',
  events: [
    {
      event:
        'event Supply(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint16 indexed referralCode)',
      action: 'Deposit',
      category: 'Lending',
      details: [
        ['Reserve', 'reserve'],
        ['User', 'user'],
        ['On Behalf Of', 'onBehalfOf'],
        ['Referral Code', 'referralCode'],
      ],
      tokens: [{ heading: 'Supply Amount', amount: 'amount', token: reserve }],
    },
    {
      event:
        'event Withdraw(address indexed reserve, address indexed user, address indexed to, uint256 amount)',
      action: 'Withdraw',
      category: 'Lending',
      details: [
        ['Reserve', 'reserve'],
        ['User', 'user'],
        ['To', 'to'],
      ],
      tokens: [{ heading: 'Withdraw Amount', amount: 'amount', token: reserve }],
    },
    {
      event:
        'event Borrow(address indexed reserve, address user, address indexed onBehalfOf, uint256 amount, uint8 interestRateMode, uint256 borrowRate, uint16 indexed referralCode)',
      action: 'Borrow',
      category: 'Lending',
      details: [
        ['Reserve', 'reserve'],
        ['User', 'user'],
        ['On Behalf Of', 'onBehalfOf'],
        ['Borrow Rate', 'borrowRate', 'ray'],
        ['Interest Rate Mode', 'interestRateMode'],
        ['Referral Code', 'referralCode'],
      ],
      tokens: [{ heading: 'Borrow Amount', amount: 'amount', token: reserve }],
    },
    {
      event:
        'event Repay(address indexed reserve, address indexed user, address indexed repayer, uint256 amount, bool useATokens)',
      action: 'Repay',
      category: 'Lending',
      details: [
        ['Reserve', 'reserve'],
        ['User', 'user'],
        ['Repayer', 'repayer'],
        ['Use A Tokens', 'useATokens'],
      ],
      tokens: [{ heading: 'Repay Amount', amount: 'amount', token: reserve }],
    },
    {
      event:
        'event LiquidationCall(address indexed collateralAsset, address indexed debtAsset, address indexed user, uint256 debtToCover, uint256 liquidatedCollateralAmount, address liquidator, bool receiveAToken)',
      action: 'Liquidate',
      category: 'Lending',
      details: [
        ['Collateral Asset', 'collateralAsset'],
        ['Debt Asset', 'debtAsset'],
        ['User', 'user'],
        ['Liquidator', 'liquidator'],
        ['Receive A Token', 'receiveAToken'],
      ],
      tokens: [
        {
          heading: 'Collateral Amount',
          amount: 'liquidatedCollateralAmount',
          token: { argument: 'collateralAsset' },
        },
        { heading: 'Debt Amount', amount: 'debtToCover', token: { argument: 'debtAsset' } },
      ],
    },
    {
      event:
        'event FlashLoan(address indexed target, address initiator, address indexed asset, uint256 amount, uint8 interestRateMode, uint256 premium, uint16 indexed referralCode)',
      action: 'Flashloan',
      category: 'Lending',
      details: [
        ['Target', 'target'],
        ['Initiator', 'initiator'],
        ['Interest Rate Mode', 'interestRateMode'],
        ['Referral Code', 'referralCode'],
      ],
      tokens: [
        { heading: 'Flash Loan Amount', amount: 'amount', token: { argument: 'asset' } },
        { heading: 'Premium Amount', amount: 'premium', token: { argument: 'asset' } },
      ],
    },
    {
      event: 'event ReserveUsedAsCollateralEnabled(address indexed reserve, address indexed user)',
      action: 'Update',
      category: 'Lending',
    },
    {
      event: 'event ReserveUsedAsCollateralDisabled(address indexed reserve, address indexed user)',
      action: 'Update',
      category: 'Lending',
    },
    {
      event: 'event UserEModeSet(address indexed user, uint8 categoryId)',
      action: 'Update',
      category: 'Lending',
    },
    {
      event:
        'event ReserveDataUpdated(address indexed reserve, uint256 liquidityRate, uint256 stableBorrowRate, uint256 variableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex)',
      isSilent: true,
    },
    // The token of the protocol emits a Transfer beside these.
    {
      event:
        'event Mint(address indexed caller, address indexed onBehalfOf, uint256 value, uint256 balanceIncrease, uint256 index)',
      isSilent: true,
    },
    {
      event:
        'event Burn(address indexed from, address indexed target, uint256 value, uint256 balanceIncrease, uint256 index)',
      isSilent: true,
    },
    {
      event:
        'event BalanceTransfer(address indexed from, address indexed to, uint256 value, uint256 index)',
      isSilent: true,
    },
  ],
};
