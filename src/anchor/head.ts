/** The L1 block at which everything is read: named once, and from then on by its hash. */
import type { Hex } from '../bytes.js';
import { parseQuantity } from '../foreign/values.js';
import { numberText } from '../rpc/transport.js';
import { AnchorError } from './common/errors.js';
import { as, asHex, asNumber, asQuantity, openObject, read } from './common/foreign.js';
import type { Network } from './common/network.js';
import type { L1Tag } from './contract.js';
import { agree, type Endpoint, toQuorum } from './endpoint.js';

/** The claims of an endpoint about a block. Nothing of it is proven. */
export interface L1Head {
  readonly number: number;
  readonly hash: Hex;
  readonly stateRoot: Hex;
  /** Seconds. */
  readonly timestamp: bigint;
}

const readHash = asHex(32);
const readNumber = asNumber(53);
const readTime = asQuantity(64);

/** An endpoint that answers another block is refused. */
const readOf = (wanted: number) =>
  as((value) => (parseQuantity(value, 53) === BigInt(wanted) ? wanted : undefined), `${wanted}`);

/** @param named as the block was asked for */
export const notHeld = (named: string | number): AnchorError =>
  new AnchorError('L1_BLOCK_NOT_HELD', `the L1 endpoint has no block ${named}`);

/** @throws AnchorError `L1_BLOCK_NOT_HELD` or `BAD_ANSWER` */
function readHead(answer: unknown, named: L1Tag | number): L1Head {
  if (answer === null) throw notHeld(named);
  const block = openObject(answer, 'block');
  const number = read(block, 'number', readNumber);
  // An endpoint that answers another block is refused.
  if (typeof named === 'number') read(block, 'number', readOf(named));
  return {
    number,
    hash: read(block, 'hash', readHash),
    stateRoot: read(block, 'stateRoot', readHash),
    timestamp: read(block, 'timestamp', readTime),
  };
}

const askHead = (node: Endpoint, named: L1Tag | number): Promise<L1Head> =>
  node.block(named, (answer) => readHead(answer, named));

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
  return agree(
    await Promise.all(heads),
    `L1 block ${numberText(toQuorum(endpoints).transports, lowest)}`,
  );
}

/** @throws AnchorError `WRONG_NETWORK` if it is an endpoint of another chain */
export async function checkL1Chain(endpoint: Endpoint, network: Network): Promise<void> {
  const { name, l1ChainId, l2ChainId } = network;
  await endpoint.chainId((answer) => {
    const chainId = parseQuantity(answer, 256);
    if (chainId === BigInt(l1ChainId)) return;
    // An endpoint of L2 is the usual mistake, and its URL may well hold this number.
    const isL2 = chainId === BigInt(l2ChainId);
    const said = isL2 || chainId === undefined ? chainId : numberText(endpoint.transports, chainId);
    const found = said === undefined ? 'no chain id' : `chain id ${said}`;
    throw new AnchorError(
      'WRONG_NETWORK',
      `the L1 endpoint answers ${found}; that of the network ${name} is ${l1ChainId}`,
    );
  });
}
