/**
 * How a command ends for each error of the library: its exit code, and what the command says beside the message. The
 * library knows neither commands nor flags, so all advice about them stands here. docs/cli.md has the exit codes.
 */
import type { AnchorError } from '../../anchor/index.js';
import type { DataError } from '../../data/index.js';
import type { DecodeError } from '../../decode/index.js';
import {
  CodedError,
  type ShapeError,
  setWords,
  type VerificationCode,
  type VerificationError,
} from '../../errors.js';
import type { EvmError } from '../../evm/index.js';
import type { FollowError } from '../../follow/index.js';
import type { PoolError } from '../../pool/index.js';
import type { RpcError } from '../../rpc/index.js';
import type { IndexError, NodeError, ServiceError } from '../../service/index.js';
import type { TreeError } from '../../tree/index.js';
import { CliError, exitCodes } from './exit.js';
import { storeExit } from './storeErrors.js';

const { notVerified, malformed, usage, unknown } = exitCodes;

/** What a user of the command can do, in place of the options and functions that the library names. */
export const commandWords = {
  mints: '--mints',
  genesisRoot: '--genesis-root',
  reads: 'maxReads, --max-reads',
  goOnConverting: 'l2proof migrate --store DIR',
  convert: 'l2proof migrate --store DIR (migrateStore in the library)',
  convertFirst: 'l2proof migrate --store DIR --keep-state',
  feedStore: 'l2proof follow --store NEW_DIR --genesis FILE, or l2proof load --store NEW_DIR FILE',
  feedIndex: 'l2proof index --store DIR --l2 URL',
  exportSnapshot: 'l2proof snapshot export',
};

/** For commands that take `--hash`. */
export const nameHash = (): void => setWords({ hash: (family) => `--hash ${family}` });

/** What a command is told that an error ends. */
interface Row<E> {
  readonly exit: number;
  /** In place of it, if the cause decides. */
  exitFor?(error: E): number;
  /** What the user reads, if it is more than the message. @param command its name; `data` is the flag of `serve` */
  text?(error: E, command: string): string;
}

type Rows<E extends CodedError> = { readonly [code in E['code']]: Row<E> };

/** Rows with one end. */
function all<E, Code extends string>(row: Row<E> | number, ...codes: Code[]) {
  const own = typeof row === 'number' ? { exit: row } : row;
  return Object.fromEntries(codes.map((code) => [code, own])) as { [code in Code]: Row<E> };
}

/** An answer was refused under the user's own claim, or under a root that was asked for. */
const claiming = ['verify', 'compact'];

const refused = (advice: string): Row<VerificationError> => ({
  exit: notVerified,
  text: ({ message }, command) =>
    `not verified: ${message}${claiming.includes(command) ? advice : '; distrust the L2 server'}`,
});

const verification: { readonly [code in VerificationCode]: Row<VerificationError> } = {
  // Their messages say by themselves what to do.
  ...all(
    refused(''),
    ...(['ROOT_MISMATCH', 'WRONG_FAMILY', 'SLOT_WITHHELD', 'BEYOND_NEXT_FREE_NODE'] as const),
  ),
  SLOT_COUNT: refused('; give each storage key that was asked as a --slot, all in order'),
  ...all(
    refused('; check --root, --address and --slot, then distrust the server'),
    ...(['WRONG_KIND', 'KEY_MISMATCH', 'SLOT_OF_ABSENT_ACCOUNT', 'HKEY_MISMATCH'] as const),
    ...(['HVALUE_MISMATCH', 'HEAD_OR_TAIL', 'INDEX_OUT_OF_RANGE'] as const),
    ...(['SUB_TREE_ROOT_MISMATCH', 'NOT_NEIGHBOURS', 'KEY_NOT_BETWEEN'] as const),
    ...(['LEAF_NOT_NEEDED', 'NOT_NEXT_FREE_NODE', 'NEW_ROOT_MISMATCH', 'CHAIN_BROKEN'] as const),
    ...(['PARENT_ROOT_MISMATCH', 'END_ROOT_MISMATCH', 'STORAGE_TIE'] as const),
    ...(['STORAGE_WITHOUT_ACCOUNT', 'WRITE_AFTER_ACCOUNT'] as const),
  ),
};

const shape: Row<ShapeError> = {
  exit: malformed,
  text: ({ message }, command) =>
    `malformed answer: ${message}; ask another ${claiming.includes(command) ? '' : 'L2 '}server`,
};

const noRoot = (exit: number): Row<AnchorError> => ({
  exit,
  text: ({ message }) => `no trusted root: ${message}`,
});

const anchor: Rows<AnchorError> = {
  BAD_ANSWER: noRoot(malformed),
  ...all(
    noRoot(notVerified),
    ...(['BAD_PROOF', 'UNKNOWN_HEADER_FIELD', 'WRONG_NETWORK', 'WRONG_IMPLEMENTATION'] as const),
    ...(['WRONG_FAMILY', 'DISAGREEMENT'] as const),
  ),
  ...all(
    noRoot(unknown),
    ...(['PROOF_WINDOW', 'L1_BLOCK_NOT_HELD', 'STALE', 'NOT_PROVABLE', 'NO_STATE_ROOT'] as const),
  ),
  ...all(usage, 'MISSING_PEER'),
};

const rpc: Rows<RpcError> = {
  ...all(malformed, 'NOT_JSON', 'BAD_ENVELOPE', 'WRONG_ID', 'TOO_LARGE', 'BAD_PARTS'),
  ...all(unknown, 'TIMEOUT', 'NETWORK', 'HTTP_STATUS', 'SERVER_ERROR', 'RATE_LIMITED'),
  ...all(unknown, 'UNAUTHORIZED', 'BLOCK_NOT_HELD'),
};

/** Behind what is wrong with the index of `serve --data`. */
const indexText = (error: CodedError, command: string): string =>
  command === 'data' ? `--data: ${plain(error)}; l2proof index feeds one` : plain(error);

const tree: Rows<TreeError> = {
  ...all(
    { exit: unknown, exitFor: storeExit },
    ...(['STORE_FAILED', 'STORE_FULL', 'OTHER_WRITER'] as const),
  ),
  ROOT_MISMATCH: { exit: notVerified },
  BAD_SNAPSHOT: { exit: malformed },
  ...all(usage, 'KEY_EXISTS', 'UNKNOWN_KEY', 'HEAD_OR_TAIL', 'TREE_FULL', 'BLOCK_MISSING'),
  ...all(usage, 'BLOCK_ORDER', 'STATE_MISMATCH', 'READ_ONLY', 'DISTRUSTED', 'CLOSED'),
  ...all(usage, 'TOO_MANY_READS', 'LAW_BROKEN', 'MISSING_PEER'),
  DAMAGED: { exit: usage, text: indexText },
  WRONG_STORE: {
    exit: usage,
    text: (error, command) =>
      error.detail === 'NO_STORE' && command === 'follow'
        ? `${error.message}; load a state file first, or pass --genesis`
        : indexText(error, command),
  },
};

const anew = "begin a new store with the chain's genesis";

/** @param advice on a state that differs from the chain's, unless its genesis does */
const otherState = (advice: (error: FollowError) => string): Row<FollowError> => ({
  exit: notVerified,
  text: (error) => error.message + (error.detail === 'WRONG_GENESIS' ? `; ${anew}` : advice(error)),
});

const follow: Rows<FollowError> = {
  STATE_MISMATCH: otherState(() => `; ask another node, or ${anew}`),
  // A line of a state file is the file's, and not the store's.
  ROOT_MISMATCH: otherState(({ line }) =>
    line === undefined ? `; check --l1 and --rollup; if they are right, ${anew}` : '',
  ),
  NODE_FAILED: {
    exit: unknown,
    text: ({ message }, command) =>
      command === 'index' ? message : `${message}; check its URL, and run it again`,
  },
  ...all(malformed, 'BAD_FILE', 'BAD_ANSWER', 'BAD_TRACE', 'UNSUPPORTED_BLOCK'),
  ...all(usage, 'NOT_LOADED', 'REORG_TOO_DEEP'),
};

const data: Rows<DataError> = {
  NOT_VERIFIED: { exit: notVerified },
  ...all(malformed, 'NOT_JSON', 'BAD_ANSWER', 'TOO_LARGE'),
  ...all(usage, 'INVALID_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND', 'FORK_UNKNOWN', 'MISSING_PEER'),
  ...all(unknown, 'TIMEOUT', 'NETWORK', 'RATE_LIMITED', 'SERVER_ERROR'),
};

const decode: Rows<DecodeError> = {
  ...all(
    {
      exit: malformed,
      text: ({ message }) => `malformed answer: ${message}; ask another L2 node`,
    },
    ...(['MALFORMED', 'MISMATCH', 'TOO_LARGE'] as const),
  ),
  ...all(usage, 'BAD_ABI', 'MISSING_PEER'),
};

const pool: Rows<PoolError> = {
  ...all(usage, 'MISSING_PEER', 'NO_WORKERS'),
  // It says nothing about any proof.
  ...all(
    { exit: unknown, text: ({ message }) => `${message}; run it again` },
    ...(['WORKER_DIED', 'CLOSED'] as const),
  ),
};

const evm: Rows<EvmError> = {
  ...all(usage, 'MISSING_PEER'),
  ...all(unknown, 'HEADER_VALUE', 'BLOCK_HASH', 'FORK', 'FORK_UNKNOWN', 'TOO_MANY_READS'),
  ...all(unknown, 'TOO_MANY_ROUNDS', 'TOO_MUCH_WORK', 'UNSUPPORTED', 'ENGINE'),
};

const index: Rows<IndexError> = all(
  { exit: usage, text: indexText },
  ...(['WRONG_INDEX', 'WRONG_CHAIN', 'BLOCK_ORDER', 'DAMAGED'] as const),
);

const node: Rows<NodeError> = { BAD_ANSWER: { exit: malformed }, WRONG_CHAIN: { exit: usage } };

const service: Rows<ServiceError> = all(
  usage,
  ...(['MISSING_PEER', 'KEYS_REQUIRED', 'FINALITY_UNKNOWN', 'WRONG_CACHE'] as const),
);

/** By the name of the class: some come with packages that may be missing. Codes have a row each, so none is forgotten. */
export const failures = {
  ...{ VerificationError: verification, AnchorError: anchor, RpcError: rpc, TreeError: tree },
  ...{ FollowError: follow, DataError: data, DecodeError: decode, PoolError: pool, EvmError: evm },
  ...{ IndexError: index, NodeError: node, ServiceError: service },
};

type AnyError = CodedError<string | undefined>;

/** An install line ends without the code, so that a shell takes it. */
const plain = ({ code, reason, message }: AnyError): string =>
  code === 'MISSING_PEER' ? reason : message;

function rowOf({ name, code }: AnyError): Row<AnyError> | undefined {
  if (code === undefined) return name === 'ShapeError' ? shape : undefined;
  const tables: Readonly<Record<string, { readonly [code in string]?: Row<AnyError> }>> = failures;
  return tables[name]?.[code];
}

/** How an error ends a command; undefined if it is none of the library's. */
export function failureOf(cause: unknown, command: string): CliError | undefined {
  if (!(cause instanceof CodedError)) return undefined;
  const row = rowOf(cause);
  if (row === undefined) return undefined;
  const text = row.text?.(cause, command) ?? plain(cause);
  return new CliError(row.exitFor?.(cause) ?? row.exit, text, { cause });
}
