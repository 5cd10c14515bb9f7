import { expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../../src/anchor/index.js';
import { joinPages, provenBut } from '../../../../src/page/figure/listed.js';
import { operatorText } from '../../../../src/page/figure/marks.js';

const anchor: AnchoredRoot = {
  l2ChainId: 31337,
  l2BlockNumber: 14,
  stateRoot: `0x${'11'.repeat(32)}`,
  hash: 'poseidon2',
  l1: { chainId: 1337, blockNumber: 3, blockHash: `0x${'22'.repeat(32)}`, proven: false },
  how: 'call',
  kind: 'root',
} as unknown as AnchoredRoot;

test('what items rest on beside the root stands in their mark', () => {
  const plain = provenBut(anchor, ['completeness', 'names', 'quotes', 'times']);
  expect(plain.kind).toBe('proven');
  expect(plain.why).toMatch(/L2 block 14\. One L1 endpoint is believed about that root\.$/);
  expect(provenBut(anchor, ['operator']).why).toContain(operatorText);
  expect(provenBut(anchor, ['fork']).why).toMatch(/newest rules/);
});

test('nothing is proven of a page of which nothing can be', () => {
  expect(provenBut(anchor, ['operator', 'everything']).kind).toBe('word');
});

test('the last page says whether the list is whole; what another page rests on stays', () => {
  const page = (item: number, assumed: string[]) => ({
    ...{ anchor, items: [item], unproven: [-item], assumed },
  });
  expect(joinPages([page(1, ['completeness', 'fork']), page(2, ['names'])])).toEqual({
    anchor,
    items: [1, 2],
    unproven: [-1, -2],
    assumed: ['fork', 'names'],
  });
  expect(joinPages([page(1, []), page(2, ['completeness'])]).assumed).toEqual(['completeness']);
});
