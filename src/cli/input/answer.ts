/** Reads a server's answer, in any form that the commands take. */
import { CliError, exitCodes } from '../exit/exit.js';
import { quote } from '../print/print.js';
import { withoutMark } from './lines.js';

const malformed = (message: string, options?: ErrorOptions) =>
  new CliError(exitCodes.malformed, message, { ...options, code: 'MALFORMED' });

/** Parses JSON. @param name what holds it, for the message @throws CliError malformed */
export function parseAnswerText(text: string, name: string): unknown {
  if (text.trim() === '')
    throw malformed(`${name} is empty; expected the answer of a server, as JSON`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = quote((cause as Error).message);
    throw malformed(`${name} holds no JSON; save the answer as the server sent it: ${reason}`, {
      cause,
    });
  }
}

/** Code and message of a JSON-RPC error, as far as it has them. */
function errorText(error: unknown): string {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  return `${typeof code === 'number' ? `${code} ` : ''}${quote(reason)}`;
}

/**
 * The result inside a JSON-RPC answer, or the value itself if it is no JSON-RPC answer.
 *
 * @throws CliError malformed, if the server answered an error, or the answers are many
 */
export function resultOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) {
    throw malformed('expected one answer, got an array; save the answer of one call');
  }
  const { error, result } = answer as { error?: unknown; result?: unknown };
  if (Object.hasOwn(answer, 'error') && error !== null) {
    const text = `the server answered an error: ${errorText(error)}`;
    throw malformed(`${text}; ask again for another block, or ask another server`);
  }
  return Object.hasOwn(answer, 'result') ? result : answer;
}

/** Most heads in front of one answer: `curl` follows 50 redirects, if it is told to. */
const mostHeads = 64;
/** Most bytes of one head. */
const headLength = 64 * 1024;

/** What comes behind the heads of HTTP that `curl -i` prints: one for each redirect, and for 100 Continue. */
function bodyOf(bytes: Buffer): Buffer {
  let body = bytes;
  for (let i = 0; i < mostHeads && body.toString('latin1', 0, 5) === 'HTTP/'; i++) {
    const end = /\r?\n\r?\n/.exec(body.toString('latin1', 0, headLength));
    if (!end) return body;
    body = body.subarray(end.index + end[0].length);
  }
  return body;
}

/** Below the first character that JSON text may begin with: the version byte of a compact proof. */
const firstOfText = 9;

/** A compact proof as hex, with or without 0x, in any lines; undefined if it is none. No JSON begins like its version. */
function bytesOfHex(text: string): Buffer | undefined {
  if (!/^\s*(0x)?0[0-8]/i.test(text)) return undefined;
  const digits = text.replace(/^\s*0x/i, '').replaceAll(/\s/g, '');
  const bytes = Buffer.from(digits, 'hex');
  // Buffer stops at the first character that is no hex.
  return 2 * bytes.length === digits.length ? bytes : undefined;
}

/**
 * An answer in a file: a result, alone or in a JSON-RPC answer, or a compact proof as bytes or hex; each also behind the
 * heads of its HTTP response.
 *
 * @throws CliError malformed
 */
export function answerOf(file: Buffer, name: string): unknown {
  const bytes = bodyOf(file);
  // Indexed below its length only: what lies beyond may be the prototype's.
  if (bytes.length > 0 && (bytes[0] as number) < firstOfText) return bytes;
  const text = withoutMark(bytes.toString('utf8'));
  const compact = bytesOfHex(text);
  if (compact) return compact;
  const result = resultOf(parseAnswerText(text, name));
  return (typeof result === 'string' && bytesOfHex(result)) || result;
}

/** Bytes of base64 in its one form. @throws CliError malformed */
export function bytesOfBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64');
  // Buffer passes over what is no base64.
  if (bytes.toString('base64') === text) return bytes;
  throw malformed('"result" expected a result, or a compact proof as base64');
}
