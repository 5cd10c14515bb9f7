import { expect, test } from 'vitest';
import { byteCount, checksummed, shortened } from '../../../../src/page/format/hex.js';

test('addresses get the checksums that EIP-55 gives as examples', () => {
  for (const address of [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  ]) {
    expect(checksummed(address.toLowerCase())).toBe(address);
  }
});

test('long digits are shown by their ends', () => {
  expect(shortened('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('0x5aAeb605…Ef1BeAed');
  expect(shortened('0x1234')).toBe('0x1234');
  expect(byteCount('0x1234')).toBe(2);
});
