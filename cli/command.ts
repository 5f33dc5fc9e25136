import type { HopClient } from './client.ts';

export type Option = {
  /** Names its value, as in `--limit N`. An option without one is a switch. */
  value?: string;
  short?: string;
  text: string;
  /** The values that it takes. Help and completion list them. */
  choices?: readonly string[];
  /** The option takes a whole number of at least this. */
  min?: number;
  /** It may be repeated. */
  isList?: true;
  /** A switch that also has the form `--no-…`. */
  isNegatable?: true;
};
/** The names under which an option may be given. */
export const optionNames = (name: string, { isNegatable }: Option): string[] =>
  isNegatable === true ? [name, `no-${name}`] : [name];

export type Options = Readonly<Record<string, Option>>;

/** What follows the command, in this order: `URL`, `CODE`. */
export type Argument = { name: string; choices?: readonly string[]; isOptional?: true };

export const COMMON_OPTIONS: Options = {
  json: { text: 'print JSON, also for errors' },
  help: { short: 'h', text: 'show this help' },
};

export type Call = {
  args: readonly string[];
  text: (name: string) => string | undefined;
  /** Returns the value of an option with `choices`. `names` repeats them for the type. */
  choice: <T extends string>(name: string, choices: readonly T[]) => T | undefined;
  number: (name: string) => number | undefined;
  /** All values of an option that may be repeated. */
  list: (name: string) => readonly string[];
  has: (name: string) => boolean;
  /** True for `--name`, false for `--no-name`, undefined without both. */
  flag: (name: string) => boolean | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** A client with the stored key. Throws NotLoggedIn. */
  client: () => HopClient;
  /** The address of the server. Throws NotLoggedIn. */
  origin: () => string;
  /** Prints `json` with --json, otherwise `lines`. */
  print: (json: unknown, lines: readonly string[]) => void;
  /** Prints a line of a longer result while the work goes on, unless with --json. */
  printLine: (line: string) => void;
};

export type Command = {
  args: readonly Argument[];
  summary: string;
  options: Options;
  /** Complete command lines, for help. */
  examples?: readonly string[];
  run: (call: Call) => Promise<void>;
};
export type Commands = Readonly<Record<string, Command>>;

/** The command line is wrong. Exit code 2. */
export class UsageError extends Error {}
/** No API key is stored. Exit code 3. */
export class NotLoggedIn extends Error {}
/** Part of the work failed and every failure has been printed. Exit code 1. */
export class PartlyFailed extends Error {}
