/** Proven state and foreign text, for people. */
import type { AnchoredRoot } from '../../anchor/index.js';
import type { StateKind, VerifiedState } from '../../index.js';
import { visible } from '../../visible.js';
import { slotText } from './evidence.js';
import { countText } from './result.js';

/** Lines of two columns, aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

/** A table that a person can read. */
export function stateTable(state: VerifiedState<StateKind>): string {
  const { account } = state;
  const facts: [string, string][] = [
    ['state root', `${state.stateRoot} (${state.hash ?? 'of the block header'})`],
    ['address', state.address],
    ['account', account ? 'exists' : 'proven not to exist'],
  ];
  if (account) {
    facts.push(
      ['nonce', String(account.nonce)],
      ['balance', `${account.balance} wei`],
      ...(account.codeSize === undefined
        ? []
        : [['code size', countText(account.codeSize, 'byte')] as [string, string]]),
      ['code keccak', account.keccakCodeHash],
      ['storage root', account.storageRoot],
    );
  }
  for (const { key, value, exists } of state.storage) {
    facts.push(['slot', key], ['  value', exists ? value : 'proven not to exist (zero)']);
  }
  return columns(facts);
}

/** Who is trusted, by the way a root was read. */
export const trustedBy = {
  proof: 'proven from the L1 block hash that you gave',
  consensus: "proven from a block that L1's consensus finalized, from your checkpoint",
  quorum: 'as several L1 endpoints say that agree',
  call: 'as one L1 endpoint says; give --l1-block-hash, or several --l1, to trust it less',
  given: 'as you gave it',
} as const;

/** A time with its zone, in seconds. @param ms since 1970 */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '');

/** Seconds of the last date that there is: an endpoint may say any number. */
const lastDate = 8_640_000_000_000n;

const timeOf = (seconds: bigint): string =>
  seconds > lastDate ? `${seconds} s` : new Date(1000 * Number(seconds)).toISOString();

/** Where a root came from. */
export const anchorTable = (anchor: AnchoredRoot): string => columns(anchorRows(anchor));

/** The same as rows of {@link columns}. */
export function anchorRows(anchor: AnchoredRoot): [string, string][] {
  const { l2ChainId, l2BlockNumber, timestamp, implementation, l1, how, consensus } = anchor;
  const facts: [string, string][] = [
    ['L2 block', `${l2BlockNumber} of chain ${l2ChainId}`],
    ...(anchor.blockHash === undefined ? [] : [['', anchor.blockHash] as [string, string]]),
    [anchor.kind === 'header' ? 'its hash' : 'its root', trustedBy[how]],
  ];
  if (timestamp) {
    const word = timestamp.proven ? 'proven' : 'as the L1 endpoint says';
    facts.push(['its time', `${timeOf(timestamp.value)} (${word})`]);
  }
  const tag = l1.tag === undefined ? '' : `, read as ${l1.tag}`;
  facts.push(['L1 block', `${l1.blockNumber} of chain ${l1.chainId}${tag}`], ['', l1.blockHash]);
  if (l1.timestamp !== undefined) {
    const word = l1.proven ? 'proven' : 'as the L1 endpoint says';
    facts.push(['its time', `${timeOf(l1.timestamp)} (${word})`]);
  }
  if (consensus) {
    facts.push(['final slot', slotText(consensus)], ['checkpoint', consensus.checkpoint]);
  }
  if (implementation) facts.push(['contract code', `${implementation} (proven)`]);
  return facts;
}

/** An anchor for JSON: times are decimal digits. */
export function anchorToJson({ timestamp, l1, ...anchor }: AnchoredRoot) {
  const { timestamp: l1Time, ...block } = l1;
  return {
    ...anchor,
    ...(timestamp && { timestamp: { ...timestamp, value: String(timestamp.value) } }),
    l1: { ...block, ...(l1Time !== undefined && { timestamp: String(l1Time) }) },
  };
}

/** Most characters of foreign text that are shown. */
const shownLength = 500;

/** Foreign text for a terminal: quoted and cut. */
export function quote(text: string): string {
  return visible(JSON.stringify(text.slice(0, shownLength)));
}
