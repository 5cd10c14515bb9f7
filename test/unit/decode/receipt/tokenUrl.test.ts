/** Which URLs of tokens are shown: as EIP-721 and EIP-1155 have them. */
import { expect, test } from 'vitest';
import { toTokenUrl } from '../../../../src/decode/receipt/tokenUrl.js';

const most = 2n ** 256n - 1n;

test('the id of an ERC-1155 token stands in its URL as 64 hex digits, wherever it belongs', () => {
  // The example of EIP-1155.
  const example = '000000000000000000000000000000000000000000000000000000000004cce0';
  const link = 'https://token-cdn-domain/{id}.json';
  expect(toTokenUrl({ standard: 'erc1155', id: 314592n }, link)).toBe(
    `https://token-cdn-domain/${example}.json`,
  );
  expect(toTokenUrl({ standard: 'erc1155', id: most }, 'ipfs://{id}/{id}')).toBe(
    `ipfs://${'f'.repeat(64)}/${'f'.repeat(64)}`,
  );
  // ERC-721 has no such rule.
  expect(toTokenUrl({ standard: 'erc721', id: 1n }, link)).toBe(link);
});

test.each([
  undefined,
  '',
  'javascript:alert(1)',
  'data:application/json,{}',
  'ar://abc',
  'https://a b',
  'https://a\u202e.example/',
  `https://${'a'.repeat(2001)}`,
])('anything else than a URL that can be shown is none: %j', (link) => {
  expect(toTokenUrl({ standard: 'erc721', id: 1n }, link)).toBeUndefined();
});

test('white space around a URL is no part of it', () => {
  expect(toTokenUrl({ standard: 'erc721', id: 1n }, ' https://a.example/\n')).toBe(
    'https://a.example/',
  );
});
