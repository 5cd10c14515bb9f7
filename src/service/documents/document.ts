/** The document that an NFT's contract names: JSON that anybody may have written. */
import { cleanText } from '../../decode/receipt/text.js';
import { hasMember, ownElements, ownMember } from '../../foreign/members.js';
import { DocumentError } from './errors.js';
import { type MediaLinks, readMedia } from './media.js';

/** A trait of a token. */
export interface Attribute {
  /** Undefined if the document names none. */
  readonly trait: string | undefined;
  readonly value: string;
}

/** What is taken of a document. Texts are cleaned: each can be shown as text, on one line. */
export interface NftDocument extends MediaLinks {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly attributes: readonly Attribute[];
}

/** Most objects and arrays in one another. */
const maxDepth = 16;

/** Most attributes, and most characters of a name, a trait or a value, and of a description. */
const maxAttributes = 100;
const maxTextLength = 256;
const maxDescriptionLength = 2000;

/** Counts brackets outside of texts, before anything is made of them. @throws DocumentError */
function checkDepth(text: string): void {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (isInText && character === '\\') at += 1;
    else if (character === '"') isInText = !isInText;
    else if (!isInText && (character === '{' || character === '[')) depth += 1;
    else if (!isInText && (character === '}' || character === ']')) depth -= 1;
    if (depth > maxDepth) throw new DocumentError('the document is nested too deep');
  }
}

/** @throws DocumentError */
function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DocumentError('the document is not UTF-8');
  }
  checkDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the document.
    throw new DocumentError('the document is not JSON');
  }
}

/** Text of a value that is none of an object, for people. */
function readText(value: unknown, maxLength = maxTextLength): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  // Lines become words first: cleaning takes all that cannot be seen away.
  return cleanText(value.slice(0, 8 * maxLength).replace(/\s+/g, ' '), maxLength) || undefined;
}

function readAttribute(entry: unknown): Attribute[] {
  const value = readText(ownMember(entry, 'value'));
  const trait = readText(ownMember(entry, 'trait_type'));
  return value === undefined ? [] : [{ trait, value }];
}

/** The list of attributes, in either of the forms that documents have: a list, or an object of traits. */
function readAttributes(document: unknown): readonly Attribute[] {
  const given = hasMember(document, 'attributes')
    ? document.attributes
    : ownMember(document, 'traits');
  if (Array.isArray(given)) {
    return ownElements(given, Math.min(given.length, maxAttributes)).flatMap(readAttribute);
  }
  if (typeof given !== 'object' || given === null) return [];
  const names = Object.keys(given).slice(0, maxAttributes);
  return names.flatMap((trait) =>
    readAttribute({ trait_type: trait, value: ownMember(given, trait) }),
  );
}

/**
 * Reads a document.
 *
 * @param substitute puts the id of an ERC-1155 token into the texts of its document, which it may share with others
 * @throws DocumentError
 */
export function parseDocument(
  bytes: Uint8Array,
  substitute: (text: string) => string,
): NftDocument {
  const document = parseJson(bytes);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new DocumentError('the document is no object');
  }
  const member = (name: string): unknown => {
    const value = ownMember(document, name);
    return typeof value === 'string' ? substitute(value) : value;
  };
  return {
    name: readText(member('name')),
    description: readText(member('description'), maxDescriptionLength),
    ...readMedia(member),
    attributes: readAttributes(document),
  };
}
