/** The L1 block at which everything is read: named once, and from then on by its hash. */
import type { Hex } from '../bytes.js';
import { hexText, parseQuantity, toQuantity } from '../foreign/values.js';
import type { L1Tag } from './contract.js';
import { agree, type Endpoint } from './endpoint.js';
import { AnchorError } from './errors.js';
import { openObject, readMember } from './foreign.js';
import type { Network } from './network.js';

/** What an endpoint says of a block. Nothing of it is proven. */
export interface L1Head {
  readonly number: number;
  readonly hash: Hex;
  readonly stateRoot: Hex;
  /** Seconds. */
  readonly timestamp: bigint;
}

/** A member of a block, or a refusal. */
function required<T>(value: T | undefined, name: string, type = 'a number'): T {
  if (value !== undefined) return value;
  const path = `block.${name}`;
  throw new AnchorError('BAD_ANSWER', `"${path}" expected ${type}`, { path });
}

/** @param named as the block was asked for */
export const notHeld = (named: string | number): AnchorError =>
  new AnchorError('L1_BLOCK_NOT_HELD', `the L1 endpoint has no block ${named}`);

/** @throws AnchorError `L1_BLOCK_NOT_HELD` or `BAD_ANSWER` */
function readHead(answer: unknown, named: L1Tag | number): L1Head {
  if (answer === null) throw notHeld(named);
  const block = openObject(answer, 'block');
  const number = Number(required(parseQuantity(readMember(block, 'number'), 53), 'number'));
  // An endpoint that answers another block is refused.
  if (typeof named === 'number' && number !== named) required(undefined, 'number', `${named}`);
  return {
    number,
    hash: required(hexText(readMember(block, 'hash'), 32), 'hash', '32 bytes'),
    stateRoot: required(hexText(readMember(block, 'stateRoot'), 32), 'stateRoot', '32 bytes'),
    timestamp: required(parseQuantity(readMember(block, 'timestamp'), 64), 'timestamp'),
  };
}

const askHead = ({ ask }: Endpoint, named: L1Tag | number): Promise<L1Head> =>
  ask(
    'eth_getBlockByNumber',
    [typeof named === 'number' ? toQuantity(named) : named, false],
    (answer) => readHead(answer, named),
  );

/**
 * The block that a tag or a number names. If there are several endpoints, the lowest of their blocks is taken, and all
 * must agree on it.
 *
 * @throws AnchorError `L1_BLOCK_NOT_HELD`, `BAD_ANSWER`, `DISAGREEMENT`
 */
export async function resolveHead(
  endpoints: readonly Endpoint[],
  named: L1Tag | number,
): Promise<L1Head> {
  const newest = await Promise.all(endpoints.map((endpoint) => askHead(endpoint, named)));
  const lowest = Math.min(...newest.map(({ number }) => number));
  const heads = newest.map((head, i) =>
    head.number === lowest ? head : askHead(endpoints[i] as Endpoint, lowest),
  );
  return agree(await Promise.all(heads), `L1 block ${lowest}`);
}

/** @throws AnchorError `WRONG_NETWORK` if it is an endpoint of another chain */
export async function checkChain({ ask }: Endpoint, { name, l1ChainId }: Network): Promise<void> {
  await ask('eth_chainId', [], (answer) => {
    const chainId = parseQuantity(answer, 256);
    if (chainId === BigInt(l1ChainId)) return;
    const found = chainId === undefined ? 'no chain id' : `chain id ${chainId}`;
    throw new AnchorError(
      'WRONG_NETWORK',
      `the L1 endpoint answers ${found}; that of the network ${name} is ${l1ChainId}`,
    );
  });
}
