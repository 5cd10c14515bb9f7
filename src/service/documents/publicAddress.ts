/**
 * Which addresses of the network may be asked: public ones of single machines. Whoever deploys a contract chooses the URL of
 * its documents, and names may lead anywhere: to this machine, to its neighbours, or to a cloud's own interface that hands
 * out credentials.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * All of IPv4 that is not global unicast, from IANA's registries of special-purpose and of multicast addresses (RFC 6890,
 * RFC 5771). 192.88.99.0/24 was for relays of 6to4 (RFC 7526).
 */
const refused4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
];

/** IPv6 that is global unicast (RFC 4291). Loopback, mapped IPv4, NAT64, fc00::/7, fe80::/10 and multicast lie outside. */
const global6 = ['2000::/3'];

/** Parts of it that are not: IETF protocols with Teredo, AMT, AS112, documentation, and 6to4, which holds any address of IPv4. */
const refused6 = [...['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']];

function toList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', width] = subnet.split('/');
    list.addSubnet(net, Number(width), family);
  }
  return list;
}

const special4 = toList(refused4, 'ipv4');
const unicast6 = toList(global6, 'ipv6');
const special6 = toList(refused6, 'ipv6');

/** Whether an address is public unicast. @param address of IPv4 or IPv6, without brackets; all else is not */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, 'ipv4');
  // Only addresses of one link have a zone.
  if (!isIPv6(address) || address.includes('%')) return false;
  return unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
