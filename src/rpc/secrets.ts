/**
 * Takes the secrets of a request out of foreign texts: servers like to quote what they were sent, the whole URL or a
 * header, in an encoding of their own.
 */

/** A foreign text without secrets, at most {@link longestText} characters of it. */
export type Redact = (text: string) => string;

/** Most characters of a foreign text that are kept. */
export const longestText = 300;

/** What stands in place of a secret. */
const mark = '***';

/**
 * Longest secret that cannot be replaced in a text: it stands in half of all words. A text that holds it is left out
 * as a whole.
 */
const shortLength = 3;

/** Shortest label of a host that may be a key. */
const labelLength = 20;

/** Parts of paths that everybody has, and schemes of `Authorization`. */
const publicPath =
  /^(v\d{1,2}|api|rpc|json-?rpc|eth|evm|ext|bc|l[12]|ws|https?|node|nodes|main|mainnet|testnet|sepolia|ethereum|linea|linea-(mainnet|sepolia)|public|archive|proofs?|state)$/i;
const publicWord = /^(basic|bearer|token|apikey|digest)$/i;

/** Headers that the transport writes itself. */
const ownHeaders = ['accept', 'content-type'];

const encoder = new TextEncoder();

/** Base64 of a text's UTF-8. */
const encodeBase64 = (text: string): string => btoa(String.fromCharCode(...encoder.encode(text)));

/** What a request is sent with. */
export interface RequestSecrets {
  readonly url: URL;
  /** Headers of the caller's, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A text without its percent encoding, as far as it has one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parts of a URL that may be keys, as they are written. */
function* partsOf({ hostname, pathname, search }: URL): Generator<string> {
  for (const label of hostname.split('.')) if (label.length >= labelLength) yield label;
  for (const part of pathname.split('/')) if (!publicPath.test(decoded(part))) yield part;
  for (const pair of search.slice(1).split('&')) {
    const [name = '', ...value] = pair.split('=');
    // A key may stand there alone.
    yield value.join('=') || name;
  }
}

/** The text that HTTP Basic encodes, with its two halves; nothing if the word encodes none. */
function* credentialsIn(word: string): Generator<string> {
  if (!/^[\w+/-]{4,}={0,2}$/.test(word)) return;
  let text: string;
  try {
    text = atob(word.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return;
  }
  if (!/^[\x20-\x7e]*:[\x20-\x7e]*$/.test(text)) return;
  const colon = text.indexOf(':');
  yield text;
  yield text.slice(0, colon);
  yield text.slice(colon + 1);
}

/** The value of a header, and the words in it. */
function* wordsOf(value: string): Generator<string> {
  yield value;
  for (const word of value.split(/[\s;,]+/)) {
    if (publicWord.test(word)) continue;
    yield word;
    yield* credentialsIn(word);
    const assigned = /^[^=]+="?([^"]*)"?$/.exec(word)?.[1];
    if (assigned !== undefined) yield assigned;
  }
}

/** All texts that must not be repeated; the longest first, because a shorter one may be a part of it. */
function secretsOf({ url, headers = {} }: RequestSecrets): string[] {
  const found = new Set<string>();
  for (const part of partsOf(url)) {
    found.add(part).add(decoded(part));
    // As a form encodes spaces.
    found.add(decoded(part.replaceAll('+', ' ')));
  }
  for (const [name, value] of Object.entries(headers)) {
    if (ownHeaders.includes(name.toLowerCase())) continue;
    for (const word of wordsOf(String(value).trim())) found.add(word);
  }
  for (const secret of [...found]) {
    if (secret.length <= shortLength) continue;
    const encoded = encodeBase64(secret).replace(/=+$/, '');
    found.add(encoded).add(encoded.replaceAll('+', '-').replaceAll('/', '_'));
  }
  found.delete('');
  return [...found].sort((a, b) => b.length - a.length);
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  ' ': '\\+',
};

/** A character as it is, or in the encoding of URLs (also twice or thrice), of JSON or of HTML. */
function patternOf(char: string): string {
  const code = char.codePointAt(0) as number;
  const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');
  const bytes = [...encoder.encode(char)].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`).join('');
  const units = Array.from(
    { length: char.length },
    (_, i) => `\\\\u${hex(char.charCodeAt(i), 4)}`,
  ).join('');
  const own = char.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const forms = [own, bytes, units, `&#0*${code};`, `&#x0*${hex(code, 1)};`];
  const name = named[char];
  return `(?:${(name === undefined ? forms : [...forms, name]).join('|')})`;
}

/** Longest encoded form of one UTF-16 unit, roughly. */
const longestCode = 16;

function compile(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const texts = secrets.map((secret) => [...secret].map(patternOf).join(''));
  return new RegExp(texts.join('|'), 'gi');
}

/** The one place that knows what of a request is secret. Nothing is compiled before the first foreign text. */
export function createRedactor(given: RequestSecrets): Redact {
  let compiled: { long: RegExp | undefined; short: RegExp | undefined; span: number } | undefined;
  return (text) => {
    if (compiled === undefined) {
      const secrets = secretsOf(given);
      compiled = {
        long: compile(secrets.filter(({ length }) => length > shortLength)),
        short: compile(secrets.filter(({ length }) => length <= shortLength)),
        span: longestCode * (secrets[0]?.length ?? 0),
      };
    }
    const { long, short, span } = compiled;
    // A long text is looked through at its beginning. What is cut there may be half a secret, so it is dropped.
    const most = 8 * longestText + 2 * span;
    const beginning = text.slice(0, most);
    const whole = long ? beginning.replace(long, mark) : beginning;
    const kept = text.length > most ? whole.slice(0, Math.max(0, whole.length - span)) : whole;
    return short && kept.search(short) >= 0 ? mark : kept.slice(0, longestText);
  };
}
