/** Parts of a claim as people have them: addresses with a checksum, storage keys as Solidity lays them out, roots in files. */
import { type Hex, mappingSlot, slotKey } from '../../index.js';
import { CliError, UsageError } from '../exit/exit.js';
import { readShort } from '../input/input.js';
import { withoutMark } from '../input/lines.js';
import { quote } from '../print/print.js';
import { checksummed } from '../print/units.js';

const isHex = (text: string, width: number): text is Hex =>
  text.length === 2 + 2 * width && /^0x[\da-fA-F]*$/.test(text);

/** All letters of an address that has no checksum are of one case. @throws UsageError */
export function parseAddress(text: string, name: string): Hex {
  if (!isHex(text, 20)) {
    throw new UsageError(`${name} expected an address, 20 bytes: 0x and 40 hex digits`);
  }
  const digits = text.slice(2);
  if (
    digits === digits.toLowerCase() ||
    digits === digits.toUpperCase() ||
    text === checksummed(text)
  ) {
    return text;
  }
  throw new UsageError(
    `${name} has a wrong checksum, the case of its letters: a digit may be mistyped; copy it again, or write it in lower case if you are sure`,
  );
}

const slotForms = '4, 0x4, 0x and 64 hex digits, or mapping:KEY:SLOT';

/** Most digits of a hex number: a storage key that lost a digit must not become another one. */
const mostDigits = 16;

/** @throws UsageError */
function parseInteger(text: string, name: string): bigint {
  const integer = /^\d{1,78}$/.test(text) ? BigInt(text) : -1n;
  if (integer >= 0n && integer >> 256n === 0n) return integer;
  throw new UsageError(`${name} expected ${slotForms}; got ${quote(text)}`);
}

/** A variable's slot. @throws UsageError */
function parsePlainSlot(text: string, name: string): Hex {
  if (isHex(text, 32)) return text;
  if (!text.startsWith('0x')) return slotKey(parseInteger(text, name));
  const digits = text.length - 2;
  if (/^0x[\da-fA-F]+$/.test(text) && digits <= mostDigits) return slotKey(BigInt(text));
  throw new UsageError(
    `${name} expected ${slotForms}; got ${quote(text)}: hex of up to ${mostDigits} digits is a number, and a storage key has 64`,
  );
}

/** A key of a mapping. Other hex is not taken: it may be a key of bytes, which has its zeros behind it. @throws UsageError */
function parseMappingKey(text: string, name: string): Hex | bigint {
  if (/^\d+$/.test(text)) return parseInteger(text, name);
  if (isHex(text, 32)) return text;
  if (isHex(text, 20)) return parseAddress(text, name);
  throw new UsageError(
    `${name} expected a mapping's KEY as a whole number, an address, or 0x and 64 hex digits; got ${quote(text)}`,
  );
}

/**
 * A storage key: `4`, `0x4`, its 32 bytes, or `mapping:KEY:SLOT`, the entry of a mapping at SLOT, which may be an entry
 * itself. What it means is that of `slotKey` and `mappingSlot`.
 *
 * @throws UsageError
 */
export function parseSlot(text: string, name: string): Hex {
  const parts = text.split(':');
  const variable = parts.pop() as string;
  if (parts.length % 2 !== 0 || parts.some((part, i) => i % 2 === 0 && part !== 'mapping')) {
    throw new UsageError(`${name} expected ${slotForms}; got ${quote(text)}`);
  }
  // The innermost mapping is a variable: its slot stands last.
  let slot = parsePlainSlot(variable, name);
  for (let i = parts.length - 1; i > 0; i -= 2) {
    slot = mappingSlot(parseMappingKey(parts[i] as string, name), slot);
  }
  return slot;
}

/** Room for a root, and for some white space. */
const rootLength = 1024;

/** The text of a file, or of standard input. @throws UsageError */
async function readRootFile(source: string, name: string): Promise<Hex> {
  const forms = `${name} expected 0x and 64 hex digits, or a FILE that holds them`;
  try {
    const text = withoutMark(await readShort(source, rootLength)).trim();
    if (isHex(text, 32)) return text;
  } catch (cause) {
    if (!(cause instanceof CliError)) throw cause;
    throw new UsageError(`${forms}: ${cause.reason}`, { cause });
  }
  throw new UsageError(`${forms}; ${quote(source)} holds something else`);
}

/**
 * A state root: its hex, or the name of a file that holds it, or `-`. A name that begins with `0x` is hex.
 *
 * @param options.name of the flag @param options.file FILE of the command, if it takes one
 * @throws UsageError
 */
export async function readRoot(
  text: string,
  { name, file }: { name: string; file?: string },
): Promise<Hex> {
  if (isHex(text, 32)) return text;
  if (text.startsWith('0x'))
    throw new UsageError(`${name} expected 0x and 64 hex digits, or a FILE`);
  if (text === '-' && file === '-') {
    throw new UsageError(
      `${name} - and FILE both read standard input; name a file for one of them`,
    );
  }
  return readRootFile(text, name);
}
