/** The addresses that may be asked, against IANA's registries of special-purpose addresses and of multicast. */
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../../../src/service/documents/publicAddress.js';

/**
 * First and last address of the rows of "IANA IPv4 Special-Purpose Address Registry" (RFC 6890, as of 2025), of the IPv4 multicast
 * space (RFC 5771) and of what is reserved (RFC 1112).
 */
const special4: readonly (readonly [name: string, first: string, last: string])[] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private use', '10.0.0.0', '10.255.255.255'],
  ['shared address space', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link local', '169.254.0.0', '169.254.255.255'],
  ["a cloud's own interface", '169.254.169.254', '169.254.170.2'],
  ['private use', '172.16.0.0', '172.31.255.255'],
  ['IETF protocols', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['AS112', '192.31.196.0', '192.31.196.255'],
  ['AMT', '192.52.193.0', '192.52.193.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private use', '192.168.0.0', '192.168.255.255'],
  ['direct delegation AS112', '192.175.48.0', '192.175.48.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['limited broadcast', '255.255.255.255', '255.255.255.255'],
];

/** The same of "IANA IPv6 Special-Purpose Address Registry", and of the rest of RFC 4291. */
const special6: readonly (readonly [name: string, first: string, last: string])[] = [
  ['unspecified', '::', '::'],
  ['loopback', '::1', '::1'],
  ['mapped IPv4', '::ffff:0:0', '::ffff:ffff:ffff'],
  ['mapped loopback', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  ['mapped public IPv4', '::ffff:8.8.8.8', '::ffff:808:808'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
  ['translation, RFC 2765', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['NAT64 of private use', '64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254'],
  ['local NAT64', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['dummy', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['IETF protocols', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['Teredo', '2001:0:7f00:1::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarks', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['AMT', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHIDv2', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4 of private use', '2002:a00:1::1', '2002:c0a8:1::1'],
  ['direct delegation AS112', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['reserved', '4000::', '5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['SRv6 segments', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ["a cloud's own interface", 'fd00:ec2::254', 'fd20:ce::254'],
  ['link local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link local with a zone', 'fe80::1%eth0', 'fe80::1%25eth0'],
  ['site local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test.each([...special4, ...special6])('%s is refused: %s to %s', (_, first, last) => {
  expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
});

/** The addresses on either side of the ranges, and some that are in use. */
test.each([
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ...['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '198.51.99.255', '203.0.112.255', '203.0.114.0'],
  ...['223.255.255.255', '8.8.8.8', '93.184.215.14'],
  ...['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '2606:4700::6810:84e5'],
  ...['2620:4f:7fff:ffff::', '3ffe:ffff::', '3fff:1000::', '2a00:1450:4001:82a::200e'],
])('%s may be asked', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '8.8.8',
  '8.8.8.8:80',
  '0x8.8.8.8',
  '[2606:4700::1]',
  '2606:4700::1%1',
])('what is no address is refused: "%s"', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});
