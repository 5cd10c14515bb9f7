/** What all questions about transactions share. */
import * as z from 'zod/mini';
import { maybe, textMember } from '../wire/members.js';
import type { Query } from '../wire/query.js';
import { type Asked, askedRules, flagRule, optionalRule, textRule } from '../wire/request.js';

/** What is wanted beside transactions. */
export interface TransactionParts extends Asked {
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Whether `log_events` is left out. Default false. */
  withoutLogs?: boolean | undefined;
  /** Whether `internal_transfers` is given, by a server that traces. Default false. */
  internalTransfers?: boolean | undefined;
  /** Whether `state_changes` is given, by a server that traces. Default false. */
  stateChanges?: boolean | undefined;
  /** Whether `input_data` is given. Default false. */
  inputData?: boolean | undefined;
}

export const partsRules = {
  ...askedRules,
  quoteCurrency: optionalRule(textRule),
  withoutLogs: optionalRule(flagRule),
  internalTransfers: optionalRule(flagRule),
  stateChanges: optionalRule(flagRule),
  inputData: optionalRule(flagRule),
};

/** The part of a query that says it. */
export const toPartsQuery = (parts: TransactionParts): Query => ({
  'quote-currency': parts.quoteCurrency,
  'no-logs': parts.withoutLogs || undefined,
  'with-internal': parts.internalTransfers || undefined,
  'with-state': parts.stateChanges || undefined,
  'with-input-data': parts.inputData || undefined,
});

/** What is verified of a transaction. */
export const toWanted = ({ withoutLogs = false, inputData = false }: TransactionParts) => ({
  logs: !withoutLogs,
  input: inputData,
});

/** Where other pages are. */
export const linksSchema = maybe(z.looseObject({ prev: textMember, next: textMember }));
