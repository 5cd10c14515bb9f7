/** The status of a store, for people and for programs. */
import type { IndexStatus } from '../../service/index.js';
import type { StateStatus, StoreUsage, StoreWriter } from '../../tree/index.js';
import { visible } from '../../visible.js';
import { columns, timeText } from './print.js';
import { countText, type Result } from './result.js';

type Rows = readonly (readonly [name: string, value: string])[];

/** A writer in words. Its name may come from a database. */
function writerText(writer: StoreWriter | undefined): string {
  if (writer === undefined) return 'none';
  const { name, since, state } = writer;
  const who = `${visible(name)}${since === undefined ? '' : `, since ${timeText(since)}`}`;
  if (state === 'running') return who;
  if (state === 'ended') return `none now; the last was ${who}`;
  return `${who}; whether it still runs cannot be seen from here: another container, or before the last restart`;
}

/** The end of both kinds. */
const usageRows = ({ bytes, writer }: StoreUsage): Rows => [
  ['size', bytes === undefined ? 'not known' : countText(bytes, 'byte')],
  ['writer', writerText(writer)],
];

/** The same for programs: what is not known is null. */
const usageJson = ({ bytes, writer }: StoreUsage) => ({
  bytes: bytes ?? null,
  writer: writer
    ? {
        ...{ name: writer.name, pid: writer.pid ?? null, state: writer.state },
        since: writer.since === undefined ? null : new Date(writer.since).toISOString(),
      }
    : null,
});

interface Shown {
  readonly number: number;
  readonly hash: string | undefined;
  readonly stateRoot?: string;
}

function blockRows(name: string, block: Shown | undefined): Rows {
  if (block === undefined) return [[`${name} block`, 'none']];
  const { number, hash, stateRoot } = block;
  return [
    [`${name} block`, String(number)],
    ['  hash', hash ?? 'not named'],
    ...(stateRoot === undefined ? [] : [['  state root', stateRoot] as const]),
  ];
}

const blockJson = (block: Shown | undefined) =>
  block ? { ...block, hash: block.hash ?? null } : null;

const advice = 'the state is known to be wrong; feed a new store';

export function stateStatus(status: StateStatus, usage: StoreUsage): Result {
  const { version, hash, isLoading, newest, final, oldest, accountsCreated, distrust } = status;
  const rows: Rows = [
    ...(isLoading
      ? [['loading', 'under way, or cut short: then run the load again'] as const]
      : []),
    ...blockRows('newest', newest),
    ...blockRows('final', final),
    ['oldest block', String(oldest ?? 'none')],
    ['accounts', `${accountsCreated} created so far, destroyed ones too; slots are not counted`],
    ['chain', 'not kept in a state tree'],
    ...usageRows(usage),
    ['distrust', distrust === undefined ? 'none' : `${advice}: ${visible(distrust)}`],
  ];
  return {
    text: `state tree, format ${version}, ${hash}\n${columns(rows)}`,
    value: {
      ...{ kind: 'state', version, hash, chainId: null, isLoading },
      ...{ newest: blockJson(newest), final: blockJson(final), oldest: oldest ?? null },
      ...{ accountsCreated, ...usageJson(usage), distrust: distrust ?? null },
    },
  };
}

export function indexStatus(status: IndexStatus, usage: StoreUsage): Result {
  const { version, chainId, only, newest, final } = status;
  const rows: Rows = [
    ['chain', String(chainId)],
    ['holds', only === undefined ? 'all that receipts say' : 'which wallets may hold which tokens'],
    ...blockRows('newest', newest),
    ...blockRows('final', final),
    ...usageRows(usage),
  ];
  return {
    text: `index, format ${version}\n${columns(rows)}`,
    value: {
      ...{ kind: 'index', version, chainId, only: only ?? null },
      ...{ newest: blockJson(newest), final: blockJson(final) },
      ...usageJson(usage),
    },
  };
}
