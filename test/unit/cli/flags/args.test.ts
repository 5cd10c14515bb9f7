/** How flags are read, by an entry of each kind. */
import { afterEach, expect, test, vi } from 'vitest';
import { UsageError } from '../../../../src/cli/exit/exit.js';
import { readArgs } from '../../../../src/cli/flags/args.js';
import { readWholeNumber } from '../../../../src/cli/flags/common.js';
import type { Flags } from '../../../../src/cli/flags/flag.js';

const flags = {
  root: { argument: 'HEX', alias: 'state-root', required: 'the root', help: '' },
  port: { argument: 'N', read: readWholeNumber, default: '8645', help: '' },
  bound: { argument: 'N', read: readWholeNumber, help: '' },
  level: { argument: 'LEVEL', choices: ['info', 'warn', 'error'], default: 'info', help: '' },
  family: { argument: 'FAMILY', choices: ['old', 'new'], help: '' },
  l2: { argument: 'URL', environment: 'L2PROOF_TEST', required: 'the URL', help: '' },
  l1: { argument: 'URL', many: true, environment: 'L2PROOF_TEST', required: 'a URL', help: '' },
  key: { argument: 'KEY', many: true, environment: 'L2PROOF_TEST', adds: true, help: '' },
  json: { help: '' },
  old: { idle: true },
} as const satisfies Flags;

const read = (...args: string[]) => readArgs(args, flags, 1);
const environment = (text: string) => vi.stubEnv('L2PROOF_TEST', text);
afterEach(() => vi.unstubAllEnvs());

/** What asking for a value is refused with. */
function refusal(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'nothing';
}

test('a value comes from the command line, else from the environment, else it is the default', () => {
  environment('a,b');
  const { values, given, file } = read('x.json', '--port=1', '--json', '--root', '0x1');
  expect([values.port, values.level, values.json, values.root, file]).toEqual([
    ...[1, 'info', true, '0x1', 'x.json'],
  ]);
  expect([values.l2, values.l1, values.key, values.bound]).toEqual([
    ...['a,b', ['a', 'b'], ['a', 'b'], undefined],
  ]);
  expect([...given].sort()).toEqual(['json', 'port', 'root']);
  const own = read('--l2', 'c', '--l1', 'd', '--l1', 'e', '--key', 'f', '--level', 'warn').values;
  expect([own.l2, own.l1, own.key, own.level]).toEqual([
    ...['c', ['d', 'e'], ['f', 'a', 'b'], 'warn'],
  ]);
});

test('an empty variable does not count, and what is missing is told with its variable', () => {
  environment('');
  const { values, file } = read();
  expect([values.port, values.json, values.key, file]).toEqual([8645, false, [], '-']);
  expect(refusal(() => values.root)).toBe('--root is required: the root');
  expect(refusal(() => values.l2)).toBe('--l2 or L2PROOF_TEST is required: the URL');
  expect(refusal(() => values.l1)).toBe('--l1 or L2PROOF_TEST is required: a URL');
});

test('both names of a flag are one flag', () => {
  expect(read('--state-root', '0x1').values.root).toBe('0x1');
  for (const args of [
    ['--root', 'a', '--state-root', 'b'],
    ['--state-root', 'a', '--root', 'b'],
  ]) {
    expect(refusal(() => read(...args))).toBe(
      '--root and --state-root are one option; give one of them',
    );
  }
  expect(refusal(() => read('--state-root', 'a', '--state-root', 'b'))).toBe(
    '--state-root is given more than once; give it once',
  );
});

test.each<[string[], string]>([
  [['--rooot', 'x'], 'unknown option "--rooot"'],
  [['-r'], 'unknown option "-r"'],
  [['--json=1'], '--json takes no value; leave it out'],
  [['--old=1'], '--old takes no value; leave it out'],
  [['--json', '--json'], '--json is given more than once; give it once'],
  [['--root'], '--root needs a value after it'],
  [['--root='], '--root needs a value after it'],
  [['--root', '--json'], '--root needs a value after it'],
  [['a', 'b'], 'expected one FILE, got 2; give one, or - for standard input'],
])('%j is refused', (args, message) => {
  expect(refusal(() => read(...args))).toBe(message);
});

test('a command without a FILE takes flags only', () => {
  expect(refusal(() => readArgs(['a'], flags, 0))).toBe(
    'unexpected argument "a"; this command takes options only',
  );
});

test('a text that its flag does not take is refused when it is asked for', () => {
  const { values } = read('--port', 'x', '--level', 'loud', '--family', 'x', '--bound=1');
  expect(values.bound).toBe(1);
  expect(refusal(() => values.port)).toBe('--port expected a whole number, got "x"');
  expect(refusal(() => values.level)).toBe('--level expected one of info, warn, error, got "loud"');
  expect(refusal(() => values.family)).toBe('--family expected old or new, got "x"');
});

test('a value that begins with - stands behind =', () => {
  expect(read('--root=-x').values.root).toBe('-x');
  expect(read('--root', '-').values.root).toBe('-');
});

test('a flag without effect is accepted, and never what was meant', () => {
  expect(read('--old').values.json).toBe(false);
  try {
    read('--olld');
  } catch (error) {
    expect((error as UsageError).hint).toBeUndefined();
  }
});
