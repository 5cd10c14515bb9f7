/** Traits of collections, as servers claim them. */
import * as z from 'zod/mini';
import { claim, maybe, numberMember, textMember } from '../wire/members.js';

export const traitNameItem = claim({
  /** The trait, in the words of the documents. */
  name: z.string(),
});

/** The name of a trait, as the server words it. */
export interface TraitNameItem extends z.infer<typeof traitNameItem> {}

export const traitAttributeItem = claim({
  /** The trait. */
  trait_type: z.string(),
  /** Its values. */
  values: z.array(
    claim({
      /** In the words of the documents. */
      value: z.string(),
      /** How many tokens have it. */
      count: numberMember,
    }),
  ),
  /** How many values there are, on all pages. */
  unique_values: numberMember,
});

/** The values of a trait, as the server words them. */
export interface TraitAttributeItem extends z.infer<typeof traitAttributeItem> {}

export const traitSummaryItem = claim({
  /** The trait. */
  name: z.string(),
  /** `numeric` or `string`. */
  value_type: textMember,
  /** The least value and the greatest, if all are numbers. */
  value_numeric: maybe(
    claim({
      /** The least. */
      min: numberMember,
      /** The greatest. */
      max: numberMember,
    }),
  ),
  /** The value that most tokens have, if not all are numbers. */
  value_string: maybe(
    claim({
      /** In the words of the documents. */
      value: textMember,
      /** How many tokens have it. */
      token_count: numberMember,
      /** Which part of all tokens these are, in percent. */
      trait_percentage: numberMember,
    }),
  ),
  /** Its values. */
  attributes: z.array(traitAttributeItem),
});

/** A trait with its values, as the server words it. */
export interface TraitSummaryItem extends z.infer<typeof traitSummaryItem> {}
