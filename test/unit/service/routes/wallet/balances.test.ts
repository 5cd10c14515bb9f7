/** What a request for balances asks. */
import { describe, expect, test } from 'vitest';
import type { BalancesQuestion } from '../../../../../src/service/data/balances.js';
import { parseQuery, readTable } from '../../../../../src/service/rest/table.js';
import type { ProofsQuestion } from '../../../../../src/service/routes/common/dataRoute.js';
import { balances } from '../../../../../src/service/routes/wallet/balances.js';

const wallet = `0x${'5e'.repeat(20)}`;

describe('a question', () => {
  function read(query: string, address: string = wallet): BalancesQuestion & ProofsQuestion {
    const { params = {}, query: table, question } = balances({ chains: ['anvil'], served: [] });
    const faults: string[] = [];
    const path: Record<string, string> = { chain_name: 'anvil', address };
    const inPath = readTable(params, (name) => [path[name]], faults);
    const inQuery = readTable(table, parseQuery(`http://x/${query}`), faults);
    if (faults.length > 0) throw new Error(faults.join('; '));
    return question({ ...inPath, ...inQuery }, { base: '' }) as BalancesQuestion & ProofsQuestion;
  }

  test('has defaults', () => {
    expect(read('')).toEqual({
      ...{ address: wallet, quoteCurrency: 'USD', pageSize: 1000, pageNumber: 0 },
      proofs: undefined,
    });
    // Without either of the two; docs/data.md has both sizes.
    expect(read('?page-number=0').pageSize).toBe(100);
    expect(read('?proofs=true').proofs).toEqual({ kind: 'tree', block: undefined });
    expect(read('?proofs=true&proof-kind=header').proofs?.kind).toBe('header');
    expect(read('?proofs=true&block-height=7').proofs?.block).toBe(7);
    expect(read('?proofs=true&page-number=1')).toMatchObject({ pageSize: 100, pageNumber: 1 });
    expect(read('?page-size=50&page-number=2000').pageNumber).toBe(2000);
    expect(read('', wallet.toUpperCase().replace('X', 'x')).address).toBe(wallet);
    expect(read('?no-spam=true&quote-currency=eur').quoteCurrency).toBe('EUR');
  });

  test.each([
    ['?page-size=1&page-size=2', 'page-size is given more than once'],
    ['?quote-currency=XXX', 'quote-currency must be one of USD, '],
    ['?no-spam=maybe', 'no-spam must be true or false'],
    ['?proofs=maybe', 'proofs must be true or false'],
    ['?block-height=7', 'block-height needs proofs=true'],
    ['?proof-kind=header', 'proof-kind needs proofs=true'],
    ['?proofs=true&proof-kind=trie', 'proof-kind must be tree or header'],
    ['?block-height=x', 'block-height must be a whole number from 0 to 281474976710654'],
    [
      '?proofs=true&block-height=281474976710655',
      'must be a whole number from 0 to 281474976710654',
    ],
    ['?page-size=0', 'page-size must be a whole number from 1 to 1000'],
    ['?page-size=1001', 'page-size must be a whole number from 1 to 1000'],
    ['?proofs=true&page-size=101', 'page-size must be a whole number from 1 to 100'],
    ['?page-number=-1', 'page-number must be a whole number from 0 to 1000'],
    ['?page-size=50&page-number=2001', 'page-number must be a whole number from 0 to 2000'],
  ])('%s is refused', (query, message) => {
    expect(() => read(query)).toThrow(message);
  });

  test('about a short address is refused', () => {
    expect(() => read('', '0x12')).toThrow('address must be 0x and 40 hex digits');
  });
});
