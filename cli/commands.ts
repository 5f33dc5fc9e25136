import { loginCommand, logoutCommand, whoamiCommand } from './account.ts';
import { cardCommand } from './card.ts';
import { clicksCommand } from './clicks.ts';
import type { Command, Commands } from './command.ts';
import { COMPLETION_SCRIPTS } from './completion.ts';
import { domainsCommand } from './domains.ts';
import { editCommand } from './edit.ts';
import { exportCommand } from './export.ts';
import { helpOf, helpOfAll } from './help.ts';
import { importCommand } from './import.ts';
import { getCommand, listCommand, removeCommand, shortenCommand, updateCommand } from './links.ts';
import { listenCommand } from './listen.ts';
import { openCommand } from './open.ts';
import { qrCommand } from './qr.ts';
import { statsCommand } from './stats.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The commands about links and accounts. */
const WORK: Commands = {
  login: loginCommand,
  logout: logoutCommand,
  whoami: whoamiCommand,
  shorten: shortenCommand,
  list: listCommand,
  get: getCommand,
  stats: statsCommand,
  clicks: clicksCommand,
  open: openCommand,
  qr: qrCommand,
  update: updateCommand,
  edit: editCommand,
  card: cardCommand,
  delete: removeCommand,
  import: importCommand,
  export: exportCommand,
  domains: domainsCommand,
  listen: listenCommand,
};

const completionCommand: Command = {
  args: [{ name: 'SHELL', choices: SHELLS }],
  summary: 'Print a completion script for a shell.',
  options: {},
  examples: [
    'source <(hop completion bash)',
    'hop completion fish > ~/.config/fish/completions/hop.fish',
    'hop completion powershell | Out-String | Invoke-Expression',
  ],
  async run({ args, print }) {
    const shell = SHELLS.find((name) => name === args[0]) ?? 'bash';
    print({ shell, script: COMPLETION_SCRIPTS[shell] }, [COMPLETION_SCRIPTS[shell]]);
  },
};

const helpCommand: Command = {
  args: [{ name: 'COMMAND', isOptional: true, choices: [...Object.keys(WORK), 'completion'] }],
  summary: 'Show all commands, or the options of one.',
  options: {},
  async run({ args: [name], print }) {
    const command = name === undefined ? undefined : COMMANDS[name];
    print(command ?? COMMANDS, [
      name === undefined || command === undefined ? helpOfAll(COMMANDS) : helpOf(name, command),
    ]);
  },
};

/** Every command. Parsing, help and completion read this table. */
export const COMMANDS: Commands = { ...WORK, completion: completionCommand, help: helpCommand };
