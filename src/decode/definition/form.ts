/**
 * The members of a decode response, for schemas: the service describes its answers by them, and the client reads those of
 * any decoder. The types say what each member means, and the compiler holds this form to them.
 */
import type {
  DecodedEvent,
  DecodeResponse,
  EventDetail,
  ExplorerLink,
  GasMetadata,
  NftImages,
  NftItem,
  RawLog,
  RawLogParameter,
  TokenAmount,
  TxMetadata,
} from './types.js';

/** What schemas are made with: strict ones for what this library answers, others for what any decoder may say. */
interface FormKit<S> {
  readonly text: S;
  readonly number: S;
  readonly boolean: S;
  /** True, and nothing else. */
  readonly yes: S;
  /** A whole number from 0. */
  readonly count: S;
  /** Decimal digits. */
  readonly integer: S;
  /** Hex of 20 bytes. */
  readonly address: S;
  /** Hex of 32 bytes. */
  readonly hash: S;
  /** Hex of any number of bytes. */
  readonly bytes: S;
  /** A value that may be null. */
  nullable(value: S): S;
  /** A member that may be missing. */
  optional(value: S): S;
  /** A member that every decoder must give. */
  required(value: S): S;
  /** A member that is not looked at in the answers of others. */
  unread(value: S): S;
  list(item: S): S;
  /** @param name in a description */
  object<T>(members: { readonly [K in keyof T]-?: S }, name?: string): S;
  /** Says more of a value. */
  note(value: S, more: { description: string; examples?: string[] }): S;
}

/** The form of what events list. */
function itemForms<S>({ text, integer, count, address, nullable, object, list, note }: FormKit<S>) {
  const picture = nullable(text);
  const details = object<EventDetail>({
    heading: text,
    value: text,
    type: note(text, { description: '`address` or `text`', examples: ['address'] }),
  });
  const tokens = object<TokenAmount>({
    heading: text,
    value: integer,
    decimals: count,
    ticker_symbol: text,
    ticker_logo: text,
    pretty_quote: note(text, { description: 'US dollars; `$0.00` without a price' }),
  });
  const nfts = object<NftItem>({
    heading: text,
    collection_name: nullable(text),
    token_identifier: integer,
    collection_address: address,
    images: object<NftImages>({ default: picture, 256: picture, 512: picture, 1024: picture }),
  });
  return { details: list(details), tokens: list(tokens), nfts: list(nfts) };
}

function rawLogForm<S>(kit: FormKit<S>): S {
  const { text, number, boolean, count, address, hash, bytes } = kit;
  const { nullable, unread, list, object } = kit;
  const parameter = object<RawLogParameter>({
    name: text,
    type: text,
    indexed: boolean,
    decoded: boolean,
    value: text,
  });
  const decoded = object<NonNullable<RawLog['decoded']>>({
    name: text,
    signature: text,
    params: list(parameter),
  });
  return object<RawLog>(
    {
      block_signed_at: unread(nullable(text)),
      block_height: unread(count),
      tx_offset: unread(count),
      log_offset: count,
      tx_hash: unread(hash),
      raw_log_topics: unread(list(hash)),
      sender_contract_decimals: unread(nullable(number)),
      sender_name: unread(nullable(text)),
      sender_contract_ticker_symbol: unread(nullable(text)),
      sender_address: address,
      sender_address_label: unread(nullable(text)),
      sender_logo_url: unread(nullable(text)),
      supports_erc: unread(nullable(list(text))),
      sender_factory_address: unread(nullable(address)),
      raw_log_data: unread(bytes),
      decoded: unread(nullable(decoded)),
    },
    'RawLog',
  );
}

function metadataForm<S>(kit: FormKit<S>, explorers: S): S {
  const { text, number, boolean, count, integer, address, hash } = kit;
  const { nullable, required, unread, list, object, note } = kit;
  const gas = object<GasMetadata>({
    contract_decimals: count,
    contract_name: text,
    contract_ticker_symbol: text,
    contract_address: address,
    supports_erc: nullable(list(text)),
    logo_url: nullable(text),
  });
  return object<TxMetadata>(
    {
      block_signed_at: nullable(text),
      block_height: count,
      block_hash: hash,
      tx_hash: required(hash),
      tx_offset: count,
      successful: boolean,
      miner_address: nullable(address),
      from_address: address,
      from_address_label: unread(nullable(text)),
      to_address: nullable(address),
      to_address_label: unread(nullable(text)),
      value: integer,
      value_quote: nullable(number),
      pretty_value_quote: nullable(text),
      gas_metadata: unread(gas),
      gas_offered: count,
      gas_spent: count,
      gas_price: number,
      fees_paid: integer,
      gas_quote: nullable(number),
      pretty_gas_quote: nullable(text),
      gas_quote_rate: nullable(number),
      source: note(text, { description: 'What the answer rests on: `node`' }),
      explorers,
    },
    'TxMetadata',
  );
}

/** The form of a decode response. */
export function decodeForm<S>(kit: FormKit<S>): S {
  const { text, yes, nullable, optional, required, list, object } = kit;
  const link = object<ExplorerLink>({ label: required(nullable(text)), url: required(text) });
  const explorers = list(link);
  const { details, tokens, nfts } = itemForms(kit);
  const event = object<DecodedEvent>(
    {
      action: text,
      category: text,
      name: text,
      protocol: object<DecodedEvent['protocol']>({ name: text, logo: text }),
      details,
      tokens: optional(tokens),
      nfts: optional(nfts),
      raw_log: optional(rawLogForm(kit)),
    },
    'DecodedEvent',
  );
  return object<DecodeResponse>(
    {
      success: required(yes),
      events: required(list(event)),
      tx_metadata: required(metadataForm(kit, explorers)),
      explorers,
    },
    'DecodeResponse',
  );
}
