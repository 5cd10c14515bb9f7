/** The decoder: what happened in a transaction. */
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import type { Redact } from '../../rpc/redact.js';
import { type DecodedTransaction, readDecoded } from '../items/decoded.js';
import { readSuccess } from '../wire/answer.js';
import type { Http } from '../wire/http.js';
import { toParams } from '../wire/query.js';
import {
  type Asked,
  askedRules,
  flagRule,
  hashRule,
  optionalRule,
  readRequest,
} from '../wire/request.js';
import { checkChain, type Routes } from '../wire/routes.js';

/** A transaction to decode. */
export interface DecodeRequest extends Asked {
  /** 32 bytes. */
  txHash: Hex;
  /** Whether events carry their log. Default false. */
  rawLogs?: boolean | undefined;
  /** Whether logs that the decoder does not know give an event too; decoders of this library only. Default false. */
  unknown?: boolean | undefined;
  /** US dollars: transfers and approvals worth less are left out. Default 0. */
  minUsd?: number | undefined;
}

/** Questions to a decoder. */
export interface DecoderRoutes {
  /**
   * The events of a transaction. A server that is busy or out of reach is asked again, up to four times in all, and as
   * late as its `Retry-After` says, if that is a minute or less.
   *
   * @throws DataError
   * @throws TypeError or RangeError for a wrong question, before anything is sent
   * @throws the signal's reason once it is aborted
   */
  decodeTransaction(request: DecodeRequest): Promise<DecodedTransaction>;
}

const amountFrom0 = (value: unknown, name: string): number => {
  if (Number.isFinite(value) && (value as number) >= 0) return value as number;
  throw wrongRange(name, 'expected a number from 0');
};

const decodeRules = {
  ...askedRules,
  txHash: hashRule,
  rawLogs: optionalRule(flagRule),
  unknown: optionalRule(flagRule),
  minUsd: optionalRule(amountFrom0),
};

interface DecoderAccess {
  readonly http: Http;
  readonly headers: Readonly<Record<string, string>>;
  readonly redact: Redact;
  /** The client's own chain. */
  readonly chain: string | undefined;
  readonly unprovableItem: Routes['unprovableItem'];
}

export const createDecoderRoutes = (access: DecoderAccess): DecoderRoutes => ({
  async decodeTransaction(request) {
    const { http, headers, redact, chain, unprovableItem } = access;
    const given = readRequest(request, decodeRules);
    const { chainName = chain, txHash, rawLogs, unknown, minUsd, signal } = given;
    checkChain(chainName);
    const query = toParams({
      raw_logs: rawLogs || undefined,
      unknown: unknown || undefined,
      min_usd: minUsd || undefined,
    });
    const body = { chain_name: chainName, tx_hash: txHash };
    const path = '/api/v1/tx/decode';
    return http.ask({ path, query, body, headers, signal }, (answer) =>
      unprovableItem(readDecoded(readSuccess(answer, redact), txHash, answer.status)),
    );
  },
});
