/** What a check of an index has found, for people and for programs. */
import type { IndexCheck, TokenDifference, TokenStandings } from '../../service/index.js';
import { columns } from './print.js';
import type { Result } from './result.js';

type Rows = readonly (readonly [name: string, value: string])[];

/** Tokens that a text names; a program reads all. */
const mostNamed = 10;

const differenceText = ({ contract, sums, supply, wallet }: TokenDifference): string =>
  `${contract}: the sums are ${sums}, its supply is ${supply ?? 'not told'}${
    wallet === undefined ? '' : `; another balance of ${wallet}`
  }`;

function tokenRows({ equal, different, moving, silent }: TokenStandings): Rows {
  const more = different.length - mostNamed;
  return [
    ['ERC-20 tokens', `${equal} as their contracts say`],
    ['  different', String(different.length)],
    ...different.slice(0, mostNamed).map((one) => ['', differenceText(one)] as const),
    ...(more > 0 ? [['', `and ${more} more`] as const] : []),
    ['  moving', `${moving}, which give or take without events: their sums need not be right`],
    ['  silent', `${silent}, whose contracts do not answer`],
  ];
}

const differenceJson = ({ contract, sums, supply, wallet }: TokenDifference) => ({
  contract,
  sums: String(sums),
  supply: supply === undefined ? null : String(supply),
  wallet: wallet ?? null,
});

export function indexCheck(found: IndexCheck): Result {
  const { chainId, block, contracts, knownContracts, wallets, sums, records, tokens } = found;
  const rows: Rows = [
    ['chain', String(chainId)],
    ['newest block', String(block ?? 'none')],
    ['contracts', `${contracts} of ${knownContracts}`],
    ['wallets', String(wallets)],
    ['lists of sums', String(sums)],
    ['records read', String(records)],
    ...(tokens === undefined
      ? [['contracts asked', 'none: --l2 names a node that can be asked'] as const]
      : tokenRows(tokens)),
  ];
  const isRight = (tokens?.different.length ?? 0) === 0;
  const verdict = isRight ? 'checked: what was looked at fits together' : 'looked at';
  return {
    text: `${verdict}\n${columns(rows)}`,
    value: {
      ...{ kind: 'index', chainId, block: block ?? null },
      ...{ contracts, knownContracts, wallets, sums, records },
      tokens: tokens
        ? {
            ...{ equal: tokens.equal, different: tokens.different.map(differenceJson) },
            ...{ moving: tokens.moving, silent: tokens.silent },
          }
        : null,
    },
  };
}
