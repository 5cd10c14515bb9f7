/** Seaport 1.1 to 1.6: trades of NFTs. */
import type { Protocol } from '../definition/definition.js';

const market = { category: 'NFT Transaction' } as const;

export const seaport: Protocol = {
  name: 'Seaport',
  style: 'Seaport style market',
  addresses: [
    '0x00000000006c3852cbEf3e08E8dF289169EdE581',
    '0x00000000000001ad428e4906aE43D8F9852d0dD6',
    '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC',
    '0x0000000000000068F116a894984e2DB1123eB395',
  ],
  events: [
    {
      event:
        'event OrderFulfilled(bytes32 orderHash, address indexed offerer, address indexed zone, address recipient, (uint8 itemType, address token, uint256 identifier, uint256 amount)[] offer, (uint8 itemType, address token, uint256 identifier, uint256 amount, address recipient)[] consideration)',
      action: 'Sale',
      ...market,
      details: [
        ['Offerer', 'offerer'],
        ['Recipient', 'recipient'],
        ['Order Hash', 'orderHash'],
      ],
      trade: [
        { items: 'offer', heading: 'Offered to', recipient: 'recipient' },
        { items: 'consideration', heading: 'Sent to' },
      ],
    },
    {
      event:
        'event OrderCancelled(bytes32 orderHash, address indexed offerer, address indexed zone)',
      action: 'Update',
      ...market,
    },
    {
      event: 'event OrdersMatched(bytes32[] orderHashes)',
      action: 'Sale',
      ...market,
      details: [['Order Hash', 'orderHashes', 'each']],
    },
    {
      event: 'event CounterIncremented(uint256 newCounter, address indexed offerer)',
      action: 'Update',
      ...market,
    },
  ],
};
