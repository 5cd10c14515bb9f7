/** ERC-20, ERC-721, ERC-1155 and their relatives. */
import type { Protocol } from '../definition/definition.js';

const token = { category: 'Token' } as const;
const fromTo = [
  ['From', 'from'],
  ['To', 'to'],
] as const;

/** ERC-20 and ERC-721 have the same topic: what is indexed tells them apart. */
export const tokens: Protocol = {
  events: [
    {
      event: 'event Transfer(address indexed from, address indexed to, uint256 value)',
      action: 'Transferred',
      ...token,
      hasMinimum: true,
      details: fromTo,
      tokens: [{ heading: 'Token Amount', amount: 'value', token: 'emitter' }],
    },
    {
      event: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
      action: 'Transferred',
      ...token,
      details: fromTo,
      nfts: { heading: 'NFT Transferred', id: 'tokenId' },
    },
    {
      // Tokens from before the standards index nothing. An amount, unless the contract says that it is an ERC-721.
      event: 'event Transfer(address from, address to, uint256 value)',
      action: 'Transferred',
      ...token,
      hasMinimum: true,
      details: fromTo,
      tokens: [{ heading: 'Token Amount', amount: 'value', token: 'emitter' }],
    },
    {
      event: 'event Transfer(address from, address to, uint256 tokenId)',
      action: 'Transferred',
      ...token,
      standard: 'erc721',
      details: fromTo,
      nfts: { heading: 'NFT Transferred', id: 'tokenId' },
    },
    {
      event: 'event Approval(address indexed owner, address indexed spender, uint256 value)',
      action: 'Approval',
      ...token,
      hasMinimum: true,
      details: [
        ['Owner', 'owner'],
        ['Spender', 'spender'],
      ],
      tokens: [{ heading: 'Value', amount: 'value', token: 'emitter', isAllowance: true }],
    },
    {
      event:
        'event Approval(address indexed owner, address indexed spender, uint256 indexed tokenId)',
      action: 'Approval',
      ...token,
      details: [
        ['Owner', 'owner'],
        ['Spender', 'spender'],
      ],
      nfts: { heading: 'NFT Approved', id: 'tokenId' },
    },
    {
      event: 'event Approval(address owner, address spender, uint256 value)',
      action: 'Approval',
      ...token,
      hasMinimum: true,
      details: [
        ['Owner', 'owner'],
        ['Spender', 'spender'],
      ],
      tokens: [{ heading: 'Value', amount: 'value', token: 'emitter', isAllowance: true }],
    },
    {
      event: 'event Approval(address owner, address spender, uint256 tokenId)',
      action: 'Approval',
      ...token,
      standard: 'erc721',
      details: [
        ['Owner', 'owner'],
        ['Spender', 'spender'],
      ],
      nfts: { heading: 'NFT Approved', id: 'tokenId' },
    },
    {
      event: 'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
      action: 'Approval',
      ...token,
    },
    {
      event:
        'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
      action: 'Transferred',
      ...token,
      details: [['Operator', 'operator'], ...fromTo],
      nfts: { heading: 'NFT Transferred', id: 'id', amount: 'value' },
    },
    {
      event:
        'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
      action: 'Transferred',
      ...token,
      details: [['Operator', 'operator'], ...fromTo],
      nfts: { heading: 'NFT Transferred', id: 'ids', amount: 'values' },
    },
    {
      event: 'event URI(string value, uint256 indexed id)',
      action: 'Update',
      ...token,
      details: [
        ['URI', 'value'],
        ['Token ID', 'id'],
      ],
    },
    {
      event:
        'event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)',
      action: 'Transferred',
      ...token,
      details: [
        ['First Token ID', 'fromTokenId'],
        ['Last Token ID', 'toTokenId'],
        ['From', 'fromAddress'],
        ['To', 'toAddress'],
      ],
    },
    { event: 'event MetadataUpdate(uint256 tokenId)', isSilent: true },
    { event: 'event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId)', isSilent: true },
    {
      event:
        'event Transfer(address caller, address indexed from, address indexed to, uint256 indexed id, uint256 amount)',
      action: 'Transferred',
      ...token,
      details: [['Caller', 'caller'], ...fromTo, ['Token ID', 'id'], ['Amount', 'amount']],
    },
    {
      event:
        'event Approval(address indexed owner, address indexed spender, uint256 indexed id, uint256 amount)',
      action: 'Approval',
      ...token,
      details: [
        ['Owner', 'owner'],
        ['Spender', 'spender'],
        ['Token ID', 'id'],
        ['Amount', 'amount'],
      ],
    },
    {
      event: 'event OperatorSet(address indexed owner, address indexed operator, bool approved)',
      action: 'Approval',
      ...token,
    },
  ],
};
