import { UsageError, type Command } from './command.ts';

type Commands = Readonly<Record<string, Command>>;
const SHELLS = ['bash', 'zsh', 'fish'] as const;
const COMMON_OPTIONS = ['json', 'help'];

const optionsOf = (command: Command): string[] => [...Object.keys(command.options), ...COMMON_OPTIONS].map((name) => `--${name}`);

/** A script that completes the commands and their options, for `source <(hop completion bash)` and the like. */
export function completionScript(shell: string, commands: Commands): string {
  if (shell === 'fish') return fishScript(commands);
  const cases = Object.entries(commands).map(([name, command]) => `    ${name}) words="${optionsOf(command).join(' ')}" ;;`);
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
  if (shell === 'zsh') return ['autoload -Uz bashcompinit compinit', 'compinit', 'bashcompinit', ...body].join('\n');
  throw new UsageError(`Completion is available for ${SHELLS.join(', ')}.`);
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(commands: Commands): string {
  return Object.entries(commands)
    .flatMap(([name, command]) => [
      `complete -c hop -n __fish_use_subcommand -f -a ${name} -d ${quoted(command.summary)}`,
      ...Object.entries(command.options).map(
        ([option, { value, text }]) =>
          `complete -c hop -n '__fish_seen_subcommand_from ${name}' -l ${option}${value === undefined ? '' : ' -r'} -d ${quoted(text)}`,
      ),
      `complete -c hop -n '__fish_seen_subcommand_from ${name}' -l json -d 'print JSON'`,
    ])
    .join('\n');
}
