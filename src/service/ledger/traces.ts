/** The inner work of a transaction: transfers of the native token between contracts, and changes of state, as the node traces it. */
import type { Hex } from '../../bytes.js';
import type { Source } from '../../foreign/members.js';
import { createReader, nullable, type ValueReader } from '../../foreign/reader.js';
import { hexText } from '../../foreign/values.js';
import type { RpcError } from '../../rpc/index.js';
import type { NodeClient } from '../../rpc/nodeClient.js';
import { nonsense } from '../chain/node.js';
import { codes, HttpError } from '../http/httpError.js';

/** The native token that a call within a transaction moved. */
export interface InternalTransfer {
  readonly from: Hex;
  readonly to: Hex;
  /** In wei, above 0. */
  readonly value: bigint;
  readonly gasLimit: number;
}

interface AccountState {
  readonly balance: bigint;
  readonly nonce: number;
}

/** The changes of a transaction to an account. */
export interface StateChange {
  readonly address: Hex;
  readonly before: AccountState;
  readonly after: AccountState;
  readonly slots: readonly { readonly key: Hex; readonly before: Hex; readonly after: Hex }[];
}

const { as, asHex, asNumber, asQuantity, openArray, read, readMember, readObject } =
  createReader(nonsense);

const readAddress = asHex(20);
const readWord = asHex(32);
const readAmount = nullable(asQuantity(256));
const readGas = nullable(asNumber(53));
const readText = as((value) => (typeof value === 'string' ? value : undefined), 'a text');
const readFailure = nullable(readText);

/** Calls of one transaction that are read: far more than the gas of a block allows to move value. */
const mostCalls = 200_000;

/** Kinds of calls that move value. In others, `value` is that of the call around them. */
const moving = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'];

/** The transfers in the answer of `callTracer`, in the order of the calls. Calls that failed moved nothing. */
const readTransfers: ValueReader<InternalTransfer[]> = (value, at) => {
  const transfers: InternalTransfer[] = [];
  const left: Source[] = [readObject(value, at)];
  for (let seen = 0; left.length > 0; seen++) {
    const call = left.pop() as Source;
    // What failed took its inner calls back.
    if (read(call, 'error', readFailure) !== undefined) continue;
    const amount = read(call, 'value', readAmount) ?? 0n;
    // The first one is the transaction itself.
    if (seen > 0 && amount > 0n && moving.includes(read(call, 'type', readText))) {
      transfers.push({
        from: read(call, 'from', readAddress),
        to: read(call, 'to', readAddress),
        value: amount,
        gasLimit: read(call, 'gas', readGas) ?? 0,
      });
    }
    const inner = readMember(call, 'calls') ?? [];
    const list = openArray(inner, `${call.at}.calls`);
    if (seen + left.length + list.length > mostCalls) throw nonsense(call.at, 'has too many calls');
    for (let i = list.length - 1; i >= 0; i--) {
      left.push(readObject(readMember(list, i), `${list.at}[${i}]`));
    }
  }
  return transfers;
};

/** An object whose members have names of the node's choice, as a map. */
function readNamed<T>(
  value: unknown,
  at: string,
  { width, read }: { width: number; read: ValueReader<T> },
): Map<Hex, T> {
  const source = readObject(value ?? {}, at);
  const map = new Map<Hex, T>();
  for (const name of Object.keys(source.target)) {
    const key = hexText(name, width);
    if (key === undefined)
      throw nonsense(at, `has a member that is no 0x and ${2 * width} hex digits`);
    map.set(key, read(readMember(source, name), `${at}.${key}`));
  }
  return map;
}

interface AccountPart {
  readonly balance: bigint | undefined;
  readonly nonce: number | undefined;
  readonly slots: ReadonlyMap<Hex, Hex>;
}

const readAccount: ValueReader<AccountPart> = (value, at) => {
  const account = readObject(value, at);
  return {
    balance: read(account, 'balance', readAmount),
    nonce: read(account, 'nonce', readGas),
    slots: readNamed(readMember(account, 'storage'), `${at}.storage`, {
      width: 32,
      read: readWord,
    }),
  };
};

const nothing: AccountPart = { balance: undefined, nonce: undefined, slots: new Map() };
const zeroWord: Hex = `0x${'0'.repeat(64)}`;

/** The changes in the answer of `prestateTracer` with `diffMode`: what is missing behind them is unchanged, or gone. */
const readChanges: ValueReader<StateChange[]> = (value, at) => {
  const diff = readObject(value, at);
  const accounts = (name: 'pre' | 'post') =>
    readNamed(readMember(diff, name), `${at}.${name}`, { width: 20, read: readAccount });
  const [pre, post] = [accounts('pre'), accounts('post')];
  return [...new Set([...pre.keys(), ...post.keys()])].sort().map((address) => {
    const [old, now] = [pre.get(address) ?? nothing, post.get(address)];
    const before = { balance: old.balance ?? 0n, nonce: old.nonce ?? 0 };
    const after = now && {
      balance: now.balance ?? before.balance,
      nonce: now.nonce ?? before.nonce,
    };
    const keys = [...new Set([...old.slots.keys(), ...(now?.slots.keys() ?? [])])].sort();
    return {
      address,
      before,
      // An account that is not there any more was destroyed.
      after: after ?? { balance: 0n, nonce: 0 },
      slots: keys.map((key) => ({
        key,
        before: old.slots.get(key) ?? zeroWord,
        after: now?.slots.get(key) ?? zeroWord,
      })),
    };
  });
};

async function trace<T>(
  client: NodeClient,
  transaction: Hex,
  { options, read }: { options: object; read: ValueReader<T> },
): Promise<T> {
  const params = [transaction, options];
  try {
    return await client.ask('debug_traceTransaction', params, (answer) => read(answer, 'trace'));
  } catch (error) {
    if ((error as Partial<RpcError>).serverCode !== codes.methodNotFound) throw error;
    const text = 'this needs an L2 node that answers debug_traceTransaction';
    throw new HttpError(codes.resourceUnavailable, text, { status: 501, cause: error });
  }
}

/** @throws RpcError, NodeError; HttpError if the node makes no traces */
export const findTransfers = (client: NodeClient, transaction: Hex): Promise<InternalTransfer[]> =>
  trace(client, transaction, { options: { tracer: 'callTracer' }, read: readTransfers });

/** @throws RpcError, NodeError; HttpError if the node makes no traces */
export const findTraceChanges = (client: NodeClient, transaction: Hex): Promise<StateChange[]> =>
  trace(client, transaction, {
    options: { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    read: readChanges,
  });
