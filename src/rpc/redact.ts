/**
 * Takes secrets out of what a server says: servers like to quote what they were sent. Whatever of a URL or a header could
 * be a key counts as one. This is the only place that knows how.
 */
import { toQuantity } from '../foreign/values.js';

/** A server's text, fit to be shown. */
export type Redact = (text: string) => string;

/** The secrets that a server is sent. */
interface Sent {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly key?: string | undefined;
}

/** The secrets to remove from texts. */
interface Secrets {
  /** Taken out if they are long, or stand alone: they may be ordinary words. */
  readonly words: readonly string[];
  /** Taken out wherever they stand. */
  readonly keys: readonly string[];
}

/** Stands in place of a text that cannot be shown. */
export const leftOut = "the server's text is left out: it may hold a key";

/** Characters of the shortest secret that is taken out of a text: to take out shorter ones would shred it. */
const shortest = 4;

/** Characters of a label in the name of a host that may be a key. */
const longLabel = 20;

/** Most characters that are looked through. */
const longestText = 10_000;

/** The first word of a header that says of what kind the others are. */
const scheme = /^(basic|bearer|token|apikey|digest|hmac|key)\s+/i;

/** Reads what may be written in a form that it is not; undefined if so. */
function attempt(read: () => string): string[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

/** A text of a URL, decoded; nothing if it is not encoded as one. */
export const decoded = (text: string): string[] => attempt(() => decodeURIComponent(text));

/** Base64 of UTF-8, which is what servers and clients make of it. */
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Parts of a text that may be keys, and the text. */
const partsOf = (text: string, between: RegExp): string[] => [text, ...text.split(between)];

/** User and password of HTTP Basic, and both together. */
const credentialsOf = (value: string): string[] =>
  attempt(() => atob(value)).flatMap((pair) => /^(.*?):(.*)$/s.exec(pair) ?? []);

function headerSecrets(value: string): string[] {
  const bare = value.trim().replace(scheme, '');
  // Members of any form: a list, pairs, JSON, a URL. Padding of base64 is no separator.
  const words = partsOf(bare, /[\s;,{}[\]()<>"'`|&?]+/).flatMap((part) =>
    partsOf(part, /[:=](?=[^=])/),
  );
  return [value.trim(), ...words, ...credentialsOf(bare)];
}

function querySecrets({ search, searchParams }: URL): string[] {
  const raw = search.slice(1).split('&');
  const values = raw.map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...values, ...values.flatMap(decoded), ...searchParams.values()];
}

/** The forms in which a secret may be repeated. Percent-encodings in either case of their digits match, too. */
function formsOf(secret: string): string[] {
  const encoded = attempt(() => encodeURIComponent(secret));
  const form = String(new URLSearchParams({ '': secret })).slice(1);
  const pairs = [secret, `${secret}:`, `:${secret}`].map(base64);
  const bare = pairs.map((text) => text.replace(/=+$/, ''));
  const forUrls = bare.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const quoted = JSON.stringify(secret).slice(1, -1);
  return [secret, quoted, form, ...encoded, ...pairs, ...bare, ...forUrls];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The longest first: a shorter one may be a part of it. Nothing matches if there are none. */
const anyOf = (texts: readonly string[]): string =>
  [...new Set(texts)]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|') || '(?!)';

const patternOf = (texts: readonly string[]): RegExp => new RegExp(anyOf(texts), 'i');
const wordPatternOf = (texts: readonly string[]): RegExp =>
  new RegExp(`(^|[^a-z0-9])(${anyOf(texts)})(?![a-z0-9])`, 'i');

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};

/** Reads escapes of URLs, JSON and HTML. */
function unescaped(text: string): string {
  const character = (digits: string, base: number) => {
    const code = Number.parseInt(digits, base);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  };
  return text
    .replace(/(%[0-9a-f]{2})+/gi, (run) => decoded(run)[0] ?? run)
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits) => character(digits, 16))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, digits) => character(digits, 16))
    .replace(/&#([0-9]{1,7});/g, (_, digits) => character(digits, 10))
    .replace(/&(lt|gt|quot|apos|amp);/gi, (_, name) => entities[name.toLowerCase()] as string)
    .replaceAll('\\/', '/');
}

/** Short words of paths that are no keys: they stand in many other words. */
const ordinary = /^(v\d{1,2}|l[12]|api|app|dev|eth|evm|geth|http|io|net|node|rpc|ws|wss|www)$/i;

/** The secrets of a request, and those of its path, which may be mere words. @param values of its headers */
function secretsOf({ url, key }: Sent, values: readonly string[]): Secrets {
  const whole = [...url.pathname.split('/'), ...partsOf(url.pathname, /[/;=:@,]+/).slice(1)];
  const path = whole.flatMap((part) => [part, ...decoded(part)]);
  // Keys also stand behind a word and a sign. A letter that is left between two signs of a key is none.
  const pieces = path.flatMap((part) => part.split(/[^\p{L}\p{N}%]+/u));
  const inPath = [...path, ...pieces.filter(({ length }) => length > 1)];
  // Some providers have the key in the host's name.
  const others = url.hostname.split('.').filter(({ length }) => length >= longLabel);
  others.push(...querySecrets(url));
  others.push(...values.flatMap(headerSecrets));
  if (key !== undefined) others.push(key);
  const isWord = (text: string) => text.length < 2 || ordinary.test(text);
  return {
    words: inPath.filter(isWord),
    keys: [...inPath.filter((text) => !isWord(text)), ...others],
  };
}

/**
 * Looks for secrets when a text is to be shown, and not before: it takes as long as several requests of a command, and most
 * servers are never quoted. If no pattern can hold them, such as a header of many kB, nothing is shown.
 */
function whenAsked(make: () => Redact): Redact {
  let redact: Redact | undefined;
  return (text) => {
    try {
      redact ??= make();
      return redact(text);
    } catch {
      redact = () => leftOut;
    }
    return leftOut;
  };
}

/** Makes what takes the secrets of one server's requests out of its texts. */
export function createRedact({ headers = {}, ...sent }: Sent): Redact {
  const values = Object.values(headers).map(String);
  return whenAsked(() => redactOf(secretsOf(sent, values)));
}

/** Makes what takes keys out of texts that do not come from requests of HTTP. */
export const redactKeys = (keys: readonly string[]): Redact =>
  whenAsked(() => redactOf({ words: [], keys }));

/** Whether a number that a server chose is no key, however it is written, or one that has a meaning. */
export const isShownNumber = (value: number | bigint, redact: Redact): boolean =>
  (value > -10 && value < 10) ||
  [String(value), toQuantity(value)].every((text) => redact(text) === text);

function redactOf(secrets: Secrets): Redact {
  const keys = secrets.keys.filter(Boolean);
  const texts = [...secrets.words.filter(Boolean), ...keys];
  const forms = texts.flatMap(formsOf).filter((form) => form.length >= shortest);
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  const long = patternOf(forms);
  const all = new RegExp(long.source, 'gi');
  // A letter, or what looks like a version in a path, stands in many words.
  const alone = wordPatternOf(texts.filter(({ length }) => length < shortest));
  const parts = patternOf(keys.filter(({ length }) => length > 1 && length < shortest));

  return (text) => {
    const isCut = text.length > longestText;
    const taken = text.slice(0, longestText).replace(all, '***');
    // Half a secret may stand at the end of what was cut.
    const shown = isCut ? taken.slice(0, Math.max(0, taken.length - longest)) : taken;
    // A text that is escaped once more cannot be taken out in its place.
    for (let [form, next] = [shown, unescaped(shown)]; ; [form, next] = [next, unescaped(next)]) {
      if ([alone, parts, long].some((pattern) => pattern.test(form))) return leftOut;
      if (form === next) return shown;
    }
  };
}
