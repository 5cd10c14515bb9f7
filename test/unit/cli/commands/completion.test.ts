/** `l2proof completion`: the script for bash, driven by bash itself; those for other shells name each flag. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCompletion } from '../../../../src/cli/commands/completion.js';
import { commands, usageOf } from '../../../../src/cli/help/usage.js';
import { newFolder } from '../../../support/folder.js';

const folder = newFolder();
writeFileSync(join(folder, 'answer one.json'), '{}');
mkdirSync(join(folder, 'archive'));
writeFileSync(join(folder, 'l2proof.bash'), (await runCompletion(['bash'])).text);

/** What bash offers behind a line: it takes the words apart, and calls what `complete` has registered. */
function offered(line: string, prefix = ''): string[] {
  const script = `${prefix}
source ./l2proof.bash
COMP_LINE=$1 COMP_POINT=\${#1}
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
function=$(complete -p l2proof) function=\${function#*-F } function=\${function%% *}
"$function" l2proof
((\${#COMPREPLY[@]} == 0)) || printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Bash takes words apart at spaces and =.
  const words = line.split(/ |(=)/).filter((word) => word !== undefined);
  const all = line.endsWith('=') ? words.slice(0, -1) : words;
  const args = ['--norc', '-c', script, 'bash', line, ...all];
  const { status, stdout, stderr } = spawnSync('bash', args, { cwd: folder, encoding: 'utf8' });
  expect([line, status, stderr]).toEqual([line, 0, '']);
  return stdout.split('\n').filter((word) => word !== '');
}

/** Flags that the help of a command shows. */
const shown = (name: (typeof commands)[number]) =>
  [...usageOf(name).matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) => flag as string);

test('bash offers the commands', () => {
  expect(offered('l2proof ').sort()).toEqual([...commands, 'help', 'version'].sort());
  expect(offered('l2proof s').sort()).toEqual(['serve', 'snapshot', 'status']);
  expect(offered('l2proof help pr')).toEqual(['proxy']);
});

test.each(commands)('bash offers each flag of %s', (name) => {
  const flags = offered(`l2proof ${name} -`);
  expect(flags).toEqual(expect.arrayContaining([...shown(name), '--help']));
  expect(flags).not.toContain(name === 'migrate' ? '' : '--keep-state');
});

test.each<[string, string[]]>([
  [
    'l2proof serve --max-co',
    ['--max-concurrent', '--max-connections', '--max-connections-per-address'],
  ],
  ['l2proof serve --store x --log ', ['info', 'warn', 'error', 'silent']],
  ['l2proof serve --log=', ['info', 'warn', 'error', 'silent']],
  ['l2proof serve --log=w', ['warn']],
  ['l2proof verify --hash m', ['mimc']],
  ['l2proof verify --state', ['--state-root']],
  ['l2proof verify a', ['archive', 'answer one.json']],
  ['l2proof verify --root ', ['answer one.json', 'archive', 'l2proof.bash']],
  ['l2proof verify --address ', []],
  ['l2proof load --color ', ['auto', 'always', 'never']],
  ['l2proof verify --out an', ['answer one.json']],
  ['l2proof serve --store arc', ['archive']],
  ['l2proof serve --store=arc', ['archive']],
  ['l2proof serve --port ', []],
  ['l2proof snapshot i', ['import', 'info']],
  ['l2proof completion z', ['zsh']],
  ['l2proof nothing --', []],
])('behind "%s" bash offers what fits', (line, words) => {
  expect(offered(line).sort()).toEqual([...words].sort());
});

test('the script holds under the strictest options of bash', () => {
  expect(offered('l2proof serve --po', 'set -u')).toEqual(['--port']);
});

test.each(['zsh', 'fish'])('the script of %s has each command and flag', async (shell) => {
  const { text: script, value } = await runCompletion([shell]);
  expect(value).toEqual({ shell, script });
  for (const name of commands) {
    const lines = script
      .split('\n')
      .filter((line) => line.includes(`${name})`) || line.includes(`_is ${name}'`));
    const own = lines.join('\n');
    for (const flag of shown(name)) {
      expect(own, name).toContain(shell === 'zsh' ? `${flag}[` : ` -l ${flag.slice(2)} `);
    }
  }
  expect(script).not.toContain('undefined');
});

test.each([[[]], [['csh']], [['--bogus']], [['constructor']]])('%j is refused', async (args) => {
  await expect(runCompletion(args)).rejects.toThrow(
    /^completion expected one of bash, zsh, fish, got "/,
  );
});

test('a flag behind the shell is refused', async () => {
  await expect(runCompletion(['bash', '--x'])).rejects.toThrow(/^unknown option "--x"$/);
});
