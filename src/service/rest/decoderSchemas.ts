/** Requests and answers of the decoder's routes, as schemas for the OpenAPI document. */
import type { z as Zod } from '@hono/zod-openapi';

type Z = typeof Zod;

/** Values that stand in many places. */
function valuesOf(z: Z) {
  return {
    nullableText: z.string().nullable(),
    nullableNumber: z.number().nullable(),
    address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    hash: z.string().regex(/^0x[0-9a-f]{64}$/),
    bytes: z.string().regex(/^0x([0-9a-f]{2})*$/),
    integer: z.string().regex(/^\d+$/).openapi({ description: 'Decimal digits' }),
    count: z.int().min(0),
  };
}

/** What an event lists. */
function itemsOf(z: Z) {
  const { nullableText, address, integer, count } = valuesOf(z);
  const detail = z.object({
    heading: z.string(),
    value: z.string(),
    type: z.string().openapi({ description: '`address` or `text`', examples: ['address'] }),
  });

  const token = z.object({
    heading: z.string(),
    value: integer,
    decimals: count,
    ticker_symbol: z.string(),
    ticker_logo: z.string(),
    pretty_quote: z.string().openapi({ description: 'US dollars; `$0.00` without a price' }),
  });

  const nft = z.object({
    heading: z.string(),
    collection_name: nullableText,
    token_identifier: integer,
    collection_address: address,
    images: z.object({
      default: nullableText,
      256: nullableText,
      512: nullableText,
      1024: nullableText,
    }),
  });
  return { detail, token, nft };
}

function rawLogOf(z: Z) {
  const { nullableText, nullableNumber, address, hash, bytes, count } = valuesOf(z);
  const parameter = z.object({
    name: z.string(),
    type: z.string(),
    indexed: z.boolean(),
    decoded: z.boolean(),
    value: z.string(),
  });

  return z
    .object({
      block_signed_at: nullableText,
      block_height: count,
      tx_offset: count,
      log_offset: count,
      tx_hash: hash,
      raw_log_topics: z.array(hash),
      sender_contract_decimals: nullableNumber,
      sender_name: nullableText,
      sender_contract_ticker_symbol: nullableText,
      sender_address: address,
      sender_address_label: nullableText,
      sender_logo_url: nullableText,
      supports_erc: z.array(z.string()).nullable(),
      sender_factory_address: address.nullable(),
      raw_log_data: bytes,
      decoded: z
        .object({ name: z.string(), signature: z.string(), params: z.array(parameter) })
        .nullable(),
    })
    .openapi('RawLog');
}

function eventOf(z: Z) {
  const { detail, token, nft } = itemsOf(z);
  return z
    .object({
      action: z.string(),
      category: z.string(),
      name: z.string(),
      protocol: z.object({ name: z.string(), logo: z.string() }),
      details: z.array(detail),
      tokens: z.array(token).optional(),
      nfts: z.array(nft).optional(),
      raw_log: rawLogOf(z).optional(),
    })
    .openapi('DecodedEvent');
}

function metadataOf(z: Z) {
  const { nullableText, nullableNumber, address, hash, integer, count } = valuesOf(z);
  const explorers = z.array(z.object({ label: nullableText, url: z.string() }));

  const gasMetadata = z.object({
    contract_decimals: count,
    contract_name: z.string(),
    contract_ticker_symbol: z.string(),
    contract_address: address,
    supports_erc: z.array(z.string()).nullable(),
    logo_url: nullableText,
  });

  const metadata = z
    .object({
      block_signed_at: nullableText,
      block_height: count,
      block_hash: hash,
      tx_hash: hash,
      tx_offset: count,
      successful: z.boolean(),
      miner_address: address.nullable(),
      from_address: address,
      from_address_label: nullableText,
      to_address: address.nullable(),
      to_address_label: nullableText,
      value: integer,
      value_quote: nullableNumber,
      pretty_value_quote: nullableText,
      gas_metadata: gasMetadata,
      gas_offered: count,
      gas_spent: count,
      gas_price: z.number(),
      fees_paid: integer,
      gas_quote: nullableNumber,
      pretty_gas_quote: nullableText,
      gas_quote_rate: nullableNumber,
      source: z.string().openapi({ description: 'What the answer rests on: `node`' }),
      explorers,
    })
    .openapi('TxMetadata');
  return { metadata, explorers };
}

/** @param chains names of the chains */
export function schemasOf(z: Z, chains: readonly string[]) {
  const flag = z.enum(['true', 'false']).optional();
  const { metadata, explorers } = metadataOf(z);
  const request = z
    .object({
      chain_name: z.string().openapi({ description: `One of: ${chains.join(', ')}` }),
      tx_hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    })
    .openapi('DecodeRequest');

  const query = z.object({
    raw_logs: flag.openapi({ description: 'Whether events carry their log as `raw_log`' }),
    unknown: flag.openapi({ description: 'Whether logs that are not known give an event too' }),
    min_usd: z
      .string()
      .regex(/^\d{1,15}(\.\d{1,15})?$/)
      .optional()
      .openapi({
        description:
          'Leaves out transfers and approvals that are worth less; those without a price stay',
      }),
  });

  return {
    request,
    query,
    response: z
      .object({
        success: z.literal(true),
        events: z.array(eventOf(z)),
        tx_metadata: metadata,
        explorers,
      })
      .openapi('DecodeResponse'),
    failure: z
      .object({
        success: z.literal(false),
        name: z.string().optional().openapi({ description: '`Validation Error` with 400' }),
        message: z.string(),
      })
      .openapi('Failure'),
    health: z
      .object({ success: z.literal(true), timestamp: z.string(), uptime: z.number() })
      .openapi('Health'),
  };
}
