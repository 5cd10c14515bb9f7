/** Colours, on a real terminal if the system can open one, and with pipes. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../support/folder.js';
import { honest, patience } from '../../../support/runs.js';

const main = resolve('dist/cli/main.js');
const { result, claim } = honest('poseidon2');
const folder = newFolder();
const file = join(folder, 'answer.json');
writeFileSync(file, JSON.stringify(result));
const lines = join(folder, 'lines');
writeFileSync(lines, `${JSON.stringify({ ...claim, result })}\n{}\n`);
const slots = (claim.storageKeys ?? []).flatMap((key) => ['--slot', key]);
const asked = ['--address', claim.address, ...slots];
const right = ['verify', file, '--root', claim.stateRoot, ...asked];
const wrong = ['verify', file, '--root', `0x${'01'.repeat(32)}`, ...asked];

const variables = { NO_COLOR: '', TERM: 'xterm', FORCE_COLOR: undefined, COLORTERM: undefined };

/** With pipes: stdout and stderr. */
function piped(args: readonly string[], env = {}): string {
  const options = { encoding: 'utf8', env: { ...process.env, ...variables, ...env } } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...args], options);
  return stdout + stderr;
}

/** On a terminal, of which \`script\` opens one: what it shows. */
function onTerminal(args: readonly string[], env = {}): string {
  const line = [process.execPath, main, ...args].map((arg) => `'${arg}'`).join(' ');
  const options = { encoding: 'utf8', env: { ...process.env, ...variables, ...env } } as const;
  const { stdout } = spawnSync('/usr/bin/script', ['-qec', line, '/dev/null'], options);
  return stdout.replaceAll('\r\n', '\n');
}

const escape = '\u001b';
const [green, red, end] = [32, 31, 39].map((code) => `${escape}[${code}m`);
const plain = (text: string) => text.replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '');

describe.runIf(existsSync('/usr/bin/script'))('on a terminal', () => {
  test(
    'the verdict and the code of an error have a colour, and nothing else',
    () => {
      const shown = onTerminal(right);
      expect(shown).toMatch(/^\S+verified\S+\n {2}state root/);
      expect(shown.startsWith(`${green}verified${end}\n`)).toBe(true);
      expect(plain(shown)).toBe(piped(right));
      const refused = onTerminal(wrong);
      expect(refused.startsWith(`${red}not verified${end}: `)).toBe(true);
      expect(refused).toContain(`${red}(ROOT_MISMATCH)${end}`);
      expect(plain(refused)).toBe(piped(wrong));
    },
    patience,
  );

  test(
    'so has each of many lines',
    () => {
      const shown = onTerminal(['verify', '--ndjson', lines]);
      expect(shown).toContain(`1: ${green}verified${end}\n2: ${red}malformed${end}: `);
      expect(plain(onTerminal(['verify', '--ndjson', lines, '--json']))).toBe(
        onTerminal(['verify', '--ndjson', lines, '--json']),
      );
    },
    patience,
  );

  test.each<[string, string[], Record<string, string>]>([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--color never', ['--color', 'never'], {}],
    ['--color=never', ['--color=never'], {}],
    ['a terminal without colours', [], { TERM: 'dumb' }],
    ['--json', ['--json'], {}],
  ])('%s: no colours', { timeout: patience }, (_, args, env) => {
    expect(onTerminal([...right, ...args], env)).not.toContain(escape);
  });
});

describe('with pipes', () => {
  test(
    'there are colours only if they are asked for, also against NO_COLOR',
    () => {
      for (const args of [[], ['--color', 'auto'], ['--color=never']]) {
        expect(piped([...right, ...args])).not.toContain(escape);
        expect(piped([...wrong, ...args])).not.toContain(escape);
      }
      const always = ['--color', 'always'];
      expect(piped([...right, ...always], { NO_COLOR: '1' })).toContain(`${green}verified${end}\n`);
      expect(piped([...wrong, ...always])).toContain(`${red}not verified${end}: `);
      expect(piped(['verify', '--ndjson', lines, ...always])).toContain(`2: ${red}malformed${end}`);
      expect(piped([...right, ...always, '--json'])).not.toContain(escape);
    },
    2 * patience,
  );

  test(
    'another word is refused, by every command',
    () => {
      for (const command of ['verify', 'load', 'proxy', 'completion']) {
        expect(piped([command, '--color', 'bold'])).toBe(
          `--color expected one of auto, always, never, got "bold"\nsee l2proof help ${command}\n`,
        );
      }
      expect(piped([...right, '--color'])).toMatch(/^--color needs a value after it\n/);
    },
    2 * patience,
  );
});
