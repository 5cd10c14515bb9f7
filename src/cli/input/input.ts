/** The FILE of a command: opened, and told from what cannot be read. */
import { type BigIntStats, createReadStream, fstatSync, open as openFile } from 'node:fs';
import { promisify } from 'node:util';
import { CliError, exitCodes } from '../exit/exit.js';

/** Most bytes of one answer: room for the 16384 storage keys of the largest, however it is indented. */
const maxAnswerLength = 256 * 1024 * 1024;

/** Bytes read at a time: to pass over the lines before a shard then takes half of what it takes with Node's 64 KiB. */
const chunkLength = 2 ** 20;

export interface Input {
  /** What to call it in a message. */
  readonly name: string;
  /** Read as they are asked for. @throws CliError */
  readonly chunks: AsyncIterable<Buffer>;
  /** State of the file as it was opened; undefined if it is no regular file. */
  readonly stat: BigIntStats | undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; name the file, or - for standard input',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'you may not read it; change its rights, or name another',
};

function readError(name: string, cause: unknown): CliError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const reason = reasons[code] ? `${reasons[code]} (${code})` : message;
  return new CliError(exitCodes.usage, `cannot read ${name}: ${reason}`, {
    code: 'FILE',
    cause,
  });
}

async function* read(name: string, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (cause) {
    throw readError(name, cause);
  }
}

const open = promisify(openFile);

const fileOnly = (stat: BigIntStats) => (stat.isFile() ? stat : undefined);

/** Opens a file, or standard input for `-`. @throws CliError */
export async function openInput(file: string): Promise<Input> {
  if (file === '-') {
    const name = 'standard input';
    return {
      name,
      chunks: read(name, process.stdin),
      stat: fileOnly(fstatSync(0, { bigint: true })),
    };
  }
  try {
    // A number and no FileHandle: if a command fails before it reads, Node would print that one was left open.
    const fd = await open(file, 'r');
    const stat = fileOnly(fstatSync(fd, { bigint: true }));
    const stream = createReadStream(file, { fd, highWaterMark: chunkLength });
    return { name: file, chunks: read(file, stream), stat };
  } catch (cause) {
    throw readError(file, cause);
  }
}

/** A whole file. @param tooLong the error if it has more than `most` bytes @throws CliError */
async function readWhole(
  { chunks, stat }: Input,
  most: number,
  tooLong: () => CliError,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  // Before it is read: a file may be larger than the memory.
  if (Number(stat?.size ?? 0) > most) throw tooLong();
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw tooLong();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** A whole file that holds one answer. @throws CliError; malformed if it is longer than any answer */
export async function readAnswer(file: string): Promise<{ name: string; bytes: Buffer }> {
  const input = await openInput(file);
  const { name } = input;
  const text = `${name} is longer than ${maxAnswerLength} bytes, and no answer is; save the answer of one call`;
  const tooLong = () => new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
  return { name, bytes: await readWhole(input, maxAnswerLength, tooLong) };
}

/** The text of a short file. @param most bytes of it @throws CliError */
export async function readShort(file: string, most: number): Promise<string> {
  const input = await openInput(file);
  const text = `${input.name} is longer than ${most} bytes`;
  const tooLong = () => new CliError(exitCodes.usage, text, { code: 'FILE' });
  return (await readWhole(input, most, tooLong)).toString('utf8');
}
