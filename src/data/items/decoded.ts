/** A decoded transaction as decoders answer it. Any member of an event may be null; members not named here are kept. */
import * as z from 'zod/mini';
import { decodeForm } from '../../decode/definition/form.js';
import type { DecodedEvent, ExplorerLink, RawLog, TxMetadata } from '../../decode/index.js';
import { readAs } from '../wire/answer.js';
import { DataError } from '../wire/errors.js';

/** An event; what it may hold is what a decoder of this library answers, see `l2proof/decode`. */
export type TransactionEvent = Claimed<Omit<DecodedEvent, 'raw_log'>> & {
  /** The log that the event was decoded from, if it was asked for. */
  raw_log?: Claimed<Pick<RawLog, 'sender_address' | 'log_offset'>> | null | undefined;
};
/** A page of a block explorer about the transaction. */
export type ExplorerUrl = { -readonly [K in keyof ExplorerLink]: ExplorerLink[K] } & Record<
  string,
  unknown
>;
/** A decoder's claims about the transaction as a whole. */
export type TransactionMetadata = Claimed<Omit<TxMetadata, 'tx_hash' | 'explorers' | Unread>> & {
  /** 32 bytes: those that were asked about. */
  tx_hash: string;
  /** Pages of block explorers about the transaction. */
  explorers?: ExplorerUrl[] | null | undefined;
};

/** Members of the metadata that are not looked at. */
type Unread = 'gas_metadata' | 'from_address_label' | 'to_address_label';

/** The body of a success. */
interface Claims {
  readonly events: TransactionEvent[];
  readonly tx_metadata: TransactionMetadata;
  readonly explorers?: ExplorerUrl[] | null | undefined;
}

/** A part of an answer. A member may be null or missing, unless it must be there. */
interface Part {
  readonly schema: z.ZodMiniType;
  readonly isRequired?: true;
}

const text: Part = { schema: z.string() };
const number: Part = { schema: z.number() };

/** What any decoder may say: the types of values alone. */
const response = decodeForm<Part>({
  ...{ text, integer: text, address: text, hash: text, bytes: text, number, count: number },
  boolean: { schema: z.boolean() },
  yes: { schema: z.literal(true) },
  nullable: ({ schema }) => ({ schema: z.nullable(schema) }),
  optional: (part) => part,
  required: ({ schema }) => ({ schema, isRequired: true }),
  unread: () => ({ schema: z.unknown() }),
  list: ({ schema }) => ({ schema: z.array(schema) }),
  object(members) {
    const entries = Object.entries<Part>(members).map(([name, { schema, isRequired }]) => [
      name,
      isRequired ? schema : z.optional(z.nullable(schema)),
    ]);
    return { schema: z.looseObject(Object.fromEntries(entries)) };
  },
  note: (part) => part,
}).schema as z.ZodMiniType<Claims>;

/** A type of the interface as any decoder may word it: members may be null or missing, and there may be others. */
type Claimed<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? Claimed<Item>[]
    : T extends object
      ? { -readonly [K in keyof T]?: Claimed<T[K]> | null | undefined } & Record<string, unknown>
      : T;

/** A decoder's claims about a transaction. Nothing of it is proven. */
export interface DecodedTransaction {
  /** In the order of the decoder; one of this library has the order of the logs. */
  readonly events: readonly TransactionEvent[];
  /** Block, sender, value and fees. */
  readonly txMetadata: TransactionMetadata;
  /** Empty if the decoder names none. */
  readonly explorers: readonly ExplorerUrl[];
  /** If the client has an anchor: that nothing of it is proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

/** Reads the body of a success. @throws DataError `BAD_ANSWER` */
export function readDecoded(body: unknown, txHash: string, status: number): DecodedTransaction {
  const { events, tx_metadata: txMetadata, explorers: named } = readAs(response, body, status);
  if (txMetadata.tx_hash.toLowerCase() !== txHash) {
    throw new DataError('BAD_ANSWER', 'the answer is about another transaction', { status });
  }
  // Some decoders put them beside the metadata, others into it.
  return { events, txMetadata, explorers: named ?? txMetadata.explorers ?? [] };
}
