/** `l2proof completion`: a script that completes the command lines of l2proof in a shell, made from the flags. */
import { namesOf, readArgs, unknownChoice } from '../flags/args.js';
import type { Flag } from '../flags/flag.js';
import type { Page } from '../help/page.js';
import { pages } from '../help/usage.js';
import type { Result } from '../print/result.js';

const commands: [name: string, page: Page][] = Object.entries(pages);

/** The first clause of a text, in a line of a list. */
const briefly = (text = ''): string => (text.split(/[;:,.(] /)[0] as string).slice(0, 60);

const takesFile = ({ argument = '' }: Flag): boolean => /^[^=]*\b(FILE|DIR)\b/.test(argument);

/** Words that may stand behind a command; upper-case ones stand for what the user has. */
const wordsOf = ({ operands = {} }: Page): string[] =>
  Object.keys(operands).filter((name) => name !== name.toUpperCase());

const hasFile = ({ forms }: Page): boolean => forms.some((form) => form.includes('[FILE'));

/** The flags of a command that have a text behind them, as patterns of bash. */
function bashTexts([name, { flags }]: (typeof commands)[number]): string[] {
  return Object.entries(flags).flatMap(([own, flag]) => {
    if (flag.argument === undefined) return [];
    const pattern = namesOf({ [own]: flag })
      .map((written) => `'${name} ${written}'`)
      .join('|');
    if (flag.choices) return [`    ${pattern}) words='${flag.choices.join(' ')}' ;;`];
    return [`    ${pattern}) ${takesFile(flag) ? 'files=1' : 'return'} ;;`];
  });
}

const bash = (): string => `# Completes the command lines of l2proof in bash.
_l2proof() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words= files=
  COMPREPLY=()
  # Bash takes --flag=text apart.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${Object.keys(pages).join(' ')} help version' -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]} $prev" in
    'help help') words='${Object.keys(pages).join(' ')}' ;;
${commands.flatMap(bashTexts).join('\n')}
    *) case \${COMP_WORDS[1]} in
${commands
  .map(([name, page]) => {
    const words = [...wordsOf(page), ...namesOf(page.flags), '--help'].join(' ');
    return `      ${name}) words='${words}'${hasFile(page) ? ' files=1' : ''} ;;`;
  })
  .join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ $files && $cur != -* ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _l2proof l2proof`;

/** Text between single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A flag as \`_arguments\` of zsh takes it. */
function zshFlags(name: string, flag: Flag): string[] {
  const { argument, many, choices, help } = flag;
  const says = `[${briefly(help).replaceAll(/[[\]\\]/g, '\\$&')}]`;
  const text = takesFile(flag) ? '_files' : choices ? `(${choices.join(' ')})` : '';
  const value = argument === undefined ? '' : `:${argument.replaceAll(':', '\\:')}:${text}`;
  return namesOf({ [name]: flag }).map((own) => quoted(`${many ? '*' : ''}${own}${says}${value}`));
}

function zshCase([name, page]: (typeof commands)[number]): string {
  const [words, file] = [wordsOf(page), hasFile(page)];
  const operands = [
    ...(words.length > 0 ? [quoted(`1:word:(${words.join(' ')})`)] : []),
    ...(file ? [quoted('*:FILE:_files')] : []),
  ];
  const flags = Object.entries(page.flags).flatMap(([own, flag]) => zshFlags(own, flag));
  return `    ${name}) _arguments ${[...flags, ...operands].join(' ')} ;;`;
}

const zsh = (): string => `#compdef l2proof
# Completes the command lines of l2proof in zsh.
_l2proof() {
  local -a commands
  commands=(
${commands.map(([name, { summary }]) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if ((CURRENT == 2)) || [[ $words[2] == help ]]; then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${commands.map(zshCase).join('\n')}
  esac
}
# A file of $fpath is called with the first Tab; any other registers the function.
if [[ $funcstack[1] == _l2proof ]]; then _l2proof "$@"; else compdef _l2proof l2proof; fi`;

/** A flag as \`complete\` of fish takes it. */
function fishFlags(command: string, name: string, flag: Flag): string[] {
  const { argument, choices, help } = flag;
  const text = choices ? ` -x -a ${quoted(choices.join(' '))}` : takesFile(flag) ? ' -r -F' : ' -x';
  return namesOf({ [name]: flag }).map((own) => {
    const says = `-d ${quoted(briefly(help))}`;
    const value = argument === undefined ? '' : text;
    return `complete -c l2proof -n '__l2proof_is ${command}' -l ${own.slice(2)}${value} ${says}`;
  });
}

function fishLines([name, page]: (typeof commands)[number]): string[] {
  const when = `complete -c l2proof -n '__l2proof_is ${name}'`;
  return [
    `complete -c l2proof -n __l2proof_begins -a ${name} -d ${quoted(page.summary)}`,
    ...wordsOf(page).map((word) => `${when} -a ${word}`),
    ...(hasFile(page) ? [`${when} -F`] : []),
    ...Object.entries(page.flags).flatMap(([own, flag]) => fishFlags(name, own, flag)),
  ];
}

const fish = (): string => `# Completes the command lines of l2proof in fish.
function __l2proof_is
  set -l words (commandline -opc)
  test "$words[2]" = $argv[1]
end
function __l2proof_begins
  test (count (commandline -opc)) = 1
end
complete -c l2proof -f
${commands.flatMap(fishLines).join('\n')}`;

const scripts = { bash, zsh, fish };

/** Runs the command. @returns the script @throws UsageError */
export async function runCompletion([shell = '', ...args]: readonly string[]): Promise<Result> {
  readArgs(args, pages.completion.flags, 0);
  if (Object.hasOwn(scripts, shell)) {
    const text = scripts[shell as keyof typeof scripts]();
    return { text, value: { shell, script: text } };
  }
  throw unknownChoice('completion', shell, Object.keys(scripts));
}
