import { COMMON_OPTIONS, UsageError, type Command } from './command.ts';

type Commands = Readonly<Record<string, Command>>;
const SHELLS = ['bash', 'zsh', 'fish'] as const;

const optionsOf = (command: Command): string[] =>
  Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((name) => `--${name}`);

/** Returns a script that completes commands and options, for `source <(hop completion bash)`. */
export function completionScript(shell: string, commands: Commands): string {
  if (shell === 'fish') return fishScript(commands);
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words="${optionsOf(command).join(' ')}" ;;`,
  );
  const body = [
    '_hop() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${Object.keys(commands).join(' ')} --help --version"; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    // Without a match, the shell completes file names: `hop import FILE`.
    'complete -o default -F _hop hop',
  ];
  if (shell === 'bash') return body.join('\n');
  if (shell === 'zsh')
    return ['autoload -Uz bashcompinit compinit', 'compinit', 'bashcompinit', ...body].join('\n');
  throw new UsageError(`Completion is available for ${SHELLS.join(', ')}.`);
}

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(commands: Commands): string {
  const lines: string[] = [];
  for (const [name, command] of Object.entries(commands)) {
    const inside = `complete -c hop -n '__fish_seen_subcommand_from ${name}'`;
    lines.push(
      `complete -c hop -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`,
    );
    for (const [option, { value, text }] of Object.entries(command.options))
      lines.push(`${inside} -l ${option}${value === undefined ? '' : ' -r'} -d ${quoted(text)}`);
    lines.push(`${inside} -l json -d 'print JSON'`);
  }
  return lines.join('\n');
}
