/** What a server sent, as the command takes it. */
import { CliError, exitCodes } from './exit.js';
import { quote } from './print.js';

/** Parses JSON. @param name what holds it, for the message @throws CliError malformed */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new CliError(exitCodes.malformed, `${name} holds no JSON: ${quote(reason)}`, { cause });
  }
}

/** Code and message of a JSON-RPC error, where it has such. */
function errorText(error: unknown): string {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const reason = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  return `${typeof code === 'number' ? `${code} ` : ''}${quote(reason)}`;
}

/**
 * The result inside a JSON-RPC answer, or the value itself where it is none.
 *
 * @throws CliError malformed, where the server answered an error
 */
export function resultOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const { error, result } = answer as { error?: unknown; result?: unknown };
  if (Object.hasOwn(answer, 'error') && error !== null) {
    throw new CliError(exitCodes.malformed, `the server answered an error: ${errorText(error)}`);
  }
  return Object.hasOwn(answer, 'result') ? result : answer;
}
