import {
  COMMON_OPTIONS,
  optionNames,
  type Command,
  type Commands,
  type Option,
} from './command.ts';
import { optionText } from './help.ts';

/** A word and what it does. */
export type Candidate = readonly [word: string, text: string];

/**
 * Returns the words that can follow `before` and begin with `current`. Returns none for a file
 * name, which the shell completes, and for free text.
 */
export function candidatesFor(
  commands: Commands,
  current: string,
  before: readonly string[],
): Candidate[] {
  const [name = '', ...rest] = before;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (before.length === 0)
    return startingWith(current, [
      ...Object.entries(commands).map(([word, { summary }]): Candidate => [word, summary]),
      ['--help', 'show all commands'],
      ['--version', 'show the version'],
    ]);
  return command === undefined ? [] : startingWith(current, wordsOf(command, current, rest));
}

const startingWith = (start: string, words: readonly Candidate[]): Candidate[] =>
  words.filter(([word]) => word.startsWith(start));

function wordsOf(command: Command, current: string, before: readonly string[]): Candidate[] {
  const options = Object.entries({ ...command.options, ...COMMON_OPTIONS });
  const named = (word: string): Option | undefined =>
    options.find(([name, { short }]) => word === `--${name}` || word === `-${short}`)?.[1];
  const [, start = '', name = ''] = /^((--[\w-]+)=)/.exec(current) ?? [];
  const choicesOf = (option: Option | undefined): Candidate[] =>
    (option?.choices ?? []).map((choice) => [start + choice, '']);
  if (start !== '') return choicesOf(named(name));
  const last = named(before.at(-1) ?? '');
  if (last?.value !== undefined) return choicesOf(last);
  if (current.startsWith('-'))
    return options.flatMap(([option, about]) =>
      optionNames(option, about).map((word): Candidate => [`--${word}`, optionText(about)]),
    );
  const given = before.filter(
    (word, at) => !word.startsWith('-') && named(before[at - 1] ?? '')?.value === undefined,
  );
  return (command.args[given.length]?.choices ?? []).map((choice) => [choice, '']);
}

/**
 * The scripts ask `hop __complete =CURRENT BEFORE…`, which prints a candidate and its text per
 * line. The `=` is there because PowerShell before 7.3 passes no empty arguments
 * (https://learn.microsoft.com/en-us/powershell/scripting/whats-new/what-s-new-in-powershell-73).
 */
export const COMPLETE = '__complete';

export const COMPLETION_SCRIPTS = {
  // Bash splits words at `=` and `:`, so `--sort=-c` is put together again.
  bash: `_hop() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  local count=\${#before[@]}
  if [ "$current" = "=" ]; then current=""
  elif [ "$count" -gt 0 ] && [ "\${before[count-1]}" = "=" ]; then before=("\${before[@]:0:count-1}"); fi
  COMPREPLY=($(hop ${COMPLETE} "=$current" "\${before[@]}" 2>/dev/null | cut -f1))
}
complete -o default -F _hop hop`,
  zsh: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_hop() {
  local -a found described
  local line
  found=("\${(@f)$(hop ${COMPLETE} "=$words[CURRENT]" "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  for line in $found; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}")
    [[ $line = *$'\\t'* ]] && described[-1]+=":\${line#*$'\\t'}"
  done
  if (( $#described )); then _describe hop described; else _files; fi
}
compdef _hop hop`,
  fish: `function __hop_complete
  set -l before (commandline -opc)
  hop ${COMPLETE} "="(commandline -ct) $before[2..] 2>/dev/null
end
complete -c hop -f -a '(__hop_complete)'
complete -c hop -n '__fish_seen_subcommand_from import' -F
complete -c hop -s o -l output -r -F`,
  powershell: `Register-ArgumentCompleter -Native -CommandName hop -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
  hop ${COMPLETE} "=$wordToComplete" @before 2>$null | ForEach-Object {
    $word, $text = $_ -split "\`t", 2
    if (-not $text) { $text = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $text)
  }
}`,
} as const;
