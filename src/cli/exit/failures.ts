/**
 * How a command ends for each error of the library: its exit code, and what the command says beside the message. The
 * library knows neither commands nor flags, so all advice about them stands here. docs/cli.md has the exit codes.
 */
import type { AnchorError } from '../../anchor/index.js';
import type { ConsensusError } from '../../beacon/index.js';
import type { DataError } from '../../data/index.js';
import type { DecodeError } from '../../decode/index.js';
import { CodedError, type ShapeError, setWords, type VerificationError } from '../../errors.js';
import type { EvmError } from '../../evm/index.js';
import type { FollowError } from '../../follow/index.js';
import type { HistoryError } from '../../history/index.js';
import type { MessageError } from '../../messages/index.js';
import type { PoolError } from '../../pool/index.js';
import type { RpcError } from '../../rpc/index.js';
import type { IndexError, NodeError, ServiceError } from '../../service/index.js';
import type { TreeError } from '../../tree/index.js';
import { CliError, exitCodes } from './exit.js';
import { storeExit } from './storeErrors.js';

const { notVerified, malformed, usage, unknown } = exitCodes;

/** Advice for a user of the command, in place of the options and functions that the library names. */
export const commandWords = {
  mints: '--mints',
  genesisRoot: '--genesis-root',
  reads: 'maxReads, --max-reads',
  goOnConverting: 'l2proof migrate --store DIR',
  convert: 'l2proof migrate --store DIR (migrateStore in the library)',
  convertFirst: 'l2proof migrate --store DIR --keep-state',
  feedStore: 'l2proof follow --store NEW_DIR --genesis FILE, or l2proof load --store NEW_DIR FILE',
  feedIndex: 'l2proof index --store DIR --l2 URL',
  fetchDocuments: '--nft-metadata',
  exportSnapshot: 'l2proof snapshot export',
  current: '--current',
  l2: '--l2',
};

/** For commands that take the bounds of a history. */
export const nameBounds = (): void =>
  setWords({ maxBlocks: '--max-blocks', maxRange: '--max-range' });

/** For commands that take `--hash`. */
export const nameHash = (): void => setWords({ hash: (family) => `--hash ${family}` });

/** How an error ends a command. */
interface Row<E> {
  readonly exit: number;
  /** In place of it, if the cause decides. */
  exitFor?(error: E): number;
  /** What the user reads, if it is more than the message. @param command its name, or `data`, a part of `serve` */
  text?(error: E, command: string): string;
}

type Rows<E extends CodedError> = { readonly [code in E['code']]: Row<E> };

/** One row for all codes of a list, which are parted by spaces. */
const each = <E, List extends string>(row: Row<E> | number, list: List) =>
  Object.fromEntries(
    list.split(' ').map((code) => [code, typeof row === 'number' ? { exit: row } : row]),
  ) as { [code in Parted<List>]: Row<E> };

type Parted<List> = List extends `${infer Code} ${infer Rest}` ? Code | Parted<Rest> : List;

/** Of an answer that the user holds against a claim. */
const isOwn = (command: string): boolean => ['verify', 'explain', 'compact'].includes(command);

const refused = (advice: string): Row<VerificationError> => ({
  exit: notVerified,
  text: ({ message }, command) =>
    `not verified: ${message}${isOwn(command) ? advice : '; distrust the L2 server'}`,
});

const shape: Row<ShapeError> = {
  exit: malformed,
  text: ({ message }, command) =>
    `malformed answer: ${message}; ask another ${isOwn(command) ? '' : 'L2 '}server`,
};

const noRoot = (exit: number): Row<AnchorError> => ({
  exit,
  text: ({ message }) => `no trusted root: ${message}`,
});

/** A header says nothing of the tree that a snapshot is of. */
const otherSnapshot =
  '; take a snapshot of a block whose root L1 has, or give --root, of one whom you trust: l2proof follow --l1 then holds the blocks of the store against their hashes on L1';

const noRootOfBlock: Row<AnchorError> = {
  exit: unknown,
  text: ({ message }, command) =>
    `no trusted root: ${message}${command === 'snapshot' ? otherSnapshot : ''}`,
};

const noBlock = (exit: number): Row<ConsensusError> => ({
  exit,
  text: ({ message }) => `no final block of L1: ${message}`,
});

/** An index may be that of `serve --data`. */
const indexText = ({ message }: CodedError, command: string): string =>
  command === 'data' ? `--data: ${message}; l2proof index feeds one` : message;

const index: Row<CodedError> = { exit: usage, text: indexText };

const notThere = '; load a state file first, or pass --genesis';
const anew = "begin a new store with the chain's genesis";

/** @param advice on a state that differs from the chain's, unless its genesis does */
const otherState = (advice: (error: FollowError) => string): Row<FollowError> => ({
  exit: notVerified,
  text: (error) => error.message + (error.detail === 'WRONG_GENESIS' ? `; ${anew}` : advice(error)),
});

/** By the name of the class: some come with packages that may be missing. Each code has a row, so none is forgotten. */
export const failures: {
  readonly VerificationError: Rows<VerificationError>;
  readonly AnchorError: Rows<AnchorError>;
  readonly ConsensusError: Rows<ConsensusError>;
  readonly HistoryError: Rows<HistoryError>;
  readonly MessageError: Rows<MessageError>;
  readonly RpcError: Rows<RpcError>;
  readonly TreeError: Rows<TreeError>;
  readonly FollowError: Rows<FollowError>;
  readonly DataError: Rows<DataError>;
  readonly DecodeError: Rows<DecodeError>;
  readonly PoolError: Rows<PoolError>;
  readonly EvmError: Rows<EvmError>;
  readonly IndexError: Rows<IndexError>;
  readonly NodeError: Rows<NodeError>;
  readonly ServiceError: Rows<ServiceError>;
} = {
  VerificationError: {
    // Their messages say by themselves what to do.
    ...each(refused(''), 'ROOT_MISMATCH WRONG_FAMILY SLOT_WITHHELD BEYOND_NEXT_FREE_NODE'),
    SLOT_COUNT: refused('; give each storage key that was asked as a --slot, all in order'),
    ...each(
      refused('; check --root, --address and --slot, then distrust the server'),
      'WRONG_KIND KEY_MISMATCH SLOT_OF_ABSENT_ACCOUNT HKEY_MISMATCH HVALUE_MISMATCH HEAD_OR_TAIL INDEX_OUT_OF_RANGE SUB_TREE_ROOT_MISMATCH NOT_NEIGHBOURS KEY_NOT_BETWEEN LEAF_NOT_NEEDED NOT_ON_PATH NOT_NEXT_FREE_NODE NEW_ROOT_MISMATCH CHAIN_BROKEN PARENT_ROOT_MISMATCH END_ROOT_MISMATCH STORAGE_TIE STORAGE_WITHOUT_ACCOUNT WRITE_AFTER_ACCOUNT',
    ),
  },
  AnchorError: {
    BAD_ANSWER: noRoot(malformed),
    ...each(
      noRoot(notVerified),
      'BAD_PROOF UNKNOWN_HEADER_FIELD WRONG_NETWORK WRONG_IMPLEMENTATION WRONG_FAMILY DISAGREEMENT',
    ),
    ...each(noRoot(unknown), 'PROOF_WINDOW L1_BLOCK_NOT_HELD STALE'),
    ...each(noRootOfBlock, 'NOT_PROVABLE NO_STATE_ROOT'),
    ...each(usage, 'MISSING_PEER'),
  },
  ConsensusError: {
    ...each(
      noBlock(notVerified),
      'WRONG_CHECKPOINT BAD_EXECUTION NO_SIGNERS BAD_ORDER BAD_FINALITY BAD_COMMITTEE BAD_SIGNATURE',
    ),
    ...each(noBlock(malformed), 'BAD_ANSWER'),
    ...each(noBlock(usage), 'NO_CHECKPOINT OLD_CHECKPOINT OLD_STORE BAD_STORE'),
    ...each(noBlock(unknown), 'WRONG_PERIOD NOT_NEWER FUTURE_SLOT STALE NO_FINALITY'),
    ...each(noBlock(unknown), 'NO_EXECUTION_BLOCK NO_BOOTSTRAP NO_ROUTES BLOCKED NO_ANSWER'),
  },
  HistoryError: {
    ...each(
      {
        exit: notVerified,
        text: ({ message }) => `not verified: ${message}; ask another L2 server`,
      },
      'WRONG_HEADER WRONG_RECEIPTS WRONG_TRANSACTIONS WRONG_WITHDRAWALS UNKNOWN_HEADER_FIELD',
    ),
    BAD_ANSWER: {
      exit: malformed,
      text: ({ message }) => `malformed answer: ${message}; ask another L2 server`,
    },
    ...each(usage, 'TOO_OLD RANGE_TOO_WIDE MISSING_PEER'),
    ...each(unknown, 'NOT_PROVEN BLOCK_HELD_BACK NO_BLOCK_HASHES TOO_MANY_LOGS'),
    ...each(unknown, 'UNKNOWN_TYPE HAS_UNCLES'),
    TOO_NEW: {
      exit: unknown,
      text: ({ message }) => `${message}; run it again once L1 has finalized a later block`,
    },
  },
  MessageError: {
    BAD_PROOF: { exit: notVerified, text: ({ message }) => `not verified: ${message}` },
    BAD_ANSWER: {
      exit: malformed,
      text: ({ message }) => `malformed answer: ${message}; ask another L2 server`,
    },
    ...each(usage, 'SEVERAL_MESSAGES TOO_MANY_BLOCKS MISSING_PEER'),
    NOT_FOUND: {
      exit: unknown,
      text: ({ message, assumed }) =>
        assumed.length === 0
          ? message
          : `${message}; nothing proves that. Ask another L2 server, or name the blocks with --from and --to`,
    },
    NOT_FINALIZED: {
      exit: unknown,
      text: ({ message }) => `${message}; L2 blocks are finalized about every two hours`,
    },
    NOT_PROVABLE: { exit: unknown, text: ({ message }) => `${message}; ask other servers` },
  },
  RpcError: {
    ...each(malformed, 'NOT_JSON BAD_ENVELOPE WRONG_ID TOO_LARGE BAD_PARTS'),
    ...each(unknown, 'TIMEOUT NETWORK HTTP_STATUS SERVER_ERROR RATE_LIMITED'),
    ...each(unknown, 'UNAUTHORIZED BLOCK_NOT_HELD'),
  },
  TreeError: {
    ...each({ exit: unknown, exitFor: storeExit }, 'STORE_FAILED STORE_FULL OTHER_WRITER'),
    ...each(notVerified, 'ROOT_MISMATCH'),
    ...each(malformed, 'BAD_SNAPSHOT'),
    ...each(usage, 'KEY_EXISTS UNKNOWN_KEY HEAD_OR_TAIL TREE_FULL BLOCK_MISSING BLOCK_ORDER'),
    ...each(usage, 'STATE_MISMATCH READ_ONLY DISTRUSTED CLOSED TOO_MANY_READS LAW_BROKEN'),
    ...each(usage, 'MISSING_PEER'),
    DAMAGED: index,
    WRONG_STORE: {
      exit: usage,
      text(error, command) {
        const isNone = error.detail === 'NO_STORE' && command === 'follow';
        return isNone ? error.message + notThere : indexText(error, command);
      },
    },
  },
  FollowError: {
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
    ...each(malformed, 'BAD_FILE BAD_ANSWER BAD_TRACE UNSUPPORTED_BLOCK'),
    ...each(usage, 'NOT_LOADED REORG_TOO_DEEP'),
  },
  DataError: {
    ...each(notVerified, 'NOT_VERIFIED'),
    ...each(malformed, 'NOT_JSON BAD_ANSWER TOO_LARGE'),
    ...each(usage, 'INVALID_REQUEST UNAUTHORIZED NOT_FOUND FORK_UNKNOWN MISSING_PEER'),
    ...each(unknown, 'TIMEOUT NETWORK RATE_LIMITED SERVER_ERROR'),
  },
  DecodeError: {
    ...each(
      {
        exit: malformed,
        text: ({ message }) => `malformed answer: ${message}; ask another L2 node`,
      },
      'MALFORMED MISMATCH TOO_LARGE',
    ),
    ...each(usage, 'BAD_ABI MISSING_PEER'),
  },
  PoolError: {
    ...each(usage, 'MISSING_PEER NO_WORKERS'),
    // It says nothing about any proof.
    ...each(
      { exit: unknown, text: ({ message }) => `${message}; run it again` },
      'WORKER_DIED CLOSED',
    ),
  },
  EvmError: {
    ...each(usage, 'MISSING_PEER'),
    ...each(unknown, 'HEADER_VALUE BLOCK_HASH FORK FORK_UNKNOWN TOO_MANY_READS TOO_MANY_ROUNDS'),
    ...each(unknown, 'TOO_MUCH_WORK UNSUPPORTED ENGINE'),
  },
  IndexError: each(index, 'WRONG_INDEX WRONG_CHAIN BLOCK_ORDER DAMAGED'),
  NodeError: { ...each(malformed, 'BAD_ANSWER'), ...each(usage, 'WRONG_CHAIN') },
  ServiceError: each(usage, 'MISSING_PEER KEYS_REQUIRED FINALITY_UNKNOWN WRONG_CACHE WRONG_PAGE'),
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
  const { code = 'MALFORMED', reason, path } = cause;
  return new CliError(row.exitFor?.(cause) ?? row.exit, text, {
    about: { code, reason, path },
    cause,
  });
}
