/** The Ethereum Name Service and the name service of the L2, which is a fork of it. */
import type { Protocol, ShownEvent } from '../definition/definition.js';

const update = { action: 'Update', category: 'Others' } as const;
const mint = { action: 'Mint', category: 'Others' } as const;

const registered: Pick<ShownEvent, 'action' | 'category' | 'details'> = {
  ...mint,
  details: [
    ['Name', 'name'],
    ['Label', 'label'],
    ['Owner', 'owner'],
    ['Expires', 'expires', 'time'],
  ],
};

export const names: Protocol = {
  events: [
    {
      event: 'event NewOwner(bytes32 indexed node, bytes32 indexed label, address owner)',
      ...update,
    },
    { event: 'event Transfer(bytes32 indexed node, address owner)', ...update },
    { event: 'event NewResolver(bytes32 indexed node, address resolver)', ...update },
    { event: 'event NewTTL(bytes32 indexed node, uint64 ttl)', isSilent: true },
    {
      event: 'event NameRegistered(uint256 indexed id, address indexed owner, uint256 expires)',
      ...mint,
      details: [
        ['ID', 'id'],
        ['Owner', 'owner'],
        ['Expires', 'expires', 'time'],
      ],
    },
    {
      event: 'event NameRenewed(uint256 indexed id, uint256 expires)',
      ...update,
      details: [
        ['ID', 'id'],
        ['Expires', 'expires', 'time'],
      ],
    },
    {
      event:
        'event NameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 baseCost, uint256 premium, uint256 expires)',
      ...registered,
      tokens: [
        { heading: 'Base Cost', amount: 'baseCost', token: 'native' },
        { heading: 'Premium', amount: 'premium', token: 'native' },
      ],
    },
    {
      event: 'event NameRenewed(string name, bytes32 indexed label, uint256 cost, uint256 expires)',
      ...update,
      details: [
        ['Name', 'name'],
        ['Label', 'label'],
        ['Expires', 'expires', 'time'],
      ],
      tokens: [{ heading: 'Cost', amount: 'cost', token: 'native' }],
    },
    {
      event:
        'event PohNameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires)',
      ...registered,
    },
    {
      event:
        'event OwnerNameRegistered(string name, bytes32 indexed label, address indexed owner, uint256 expires)',
      ...registered,
    },
    {
      event: 'event NameRenewedPoh(string name, bytes32 indexed label, uint256 expires)',
      ...update,
      details: [
        ['Name', 'name'],
        ['Label', 'label'],
        ['Expires', 'expires', 'time'],
      ],
    },
    {
      event:
        'event NameWrapped(bytes32 indexed node, bytes name, address owner, uint32 fuses, uint64 expiry)',
      ...update,
      details: [
        ['Node', 'node'],
        ['Name', 'name', 'dnsName'],
        ['Owner', 'owner'],
        ['Fuses', 'fuses'],
        ['Expiry', 'expiry', 'time'],
      ],
    },
    { event: 'event NameUnwrapped(bytes32 indexed node, address owner)', ...update },
    {
      event: 'event AddrChanged(bytes32 indexed node, address a)',
      ...update,
      details: [
        ['Node', 'node'],
        ['Address', 'a'],
      ],
    },
    {
      event: 'event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress)',
      ...update,
    },
    { event: 'event NameChanged(bytes32 indexed node, string name)', ...update },
    {
      event:
        'event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value)',
      ...update,
      details: [
        ['Node', 'node'],
        ['Key', 'key'],
        ['Value', 'value'],
      ],
    },
    { event: 'event ContenthashChanged(bytes32 indexed node, bytes hash)', ...update },
    {
      event: 'event ReverseClaimed(address indexed addr, bytes32 indexed node)',
      ...update,
      details: [
        ['Address', 'addr'],
        ['Node', 'node'],
      ],
    },
  ],
};
