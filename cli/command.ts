import type { HopClient } from './client.ts';

/** An option of a command. `value` names its value; an option without one is a switch. */
export type Option = { value?: string; short?: string; text: string };

/** The options that every command has. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  json: { text: 'print JSON' },
  help: { short: 'h', text: 'show this help' },
};

export type Call = {
  args: readonly string[];
  text: (name: string) => string | undefined;
  has: (name: string) => boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** A client with the stored key. Throws NotLoggedIn. */
  client: () => HopClient;
  /** Prints `json` with --json, otherwise `lines`. */
  print: (json: unknown, lines: readonly string[]) => void;
};

export type Command = {
  /** The names of the arguments after the command: `URL`, `CODE`. */
  args: readonly string[];
  summary: string;
  options: Readonly<Record<string, Option>>;
  run: (call: Call) => Promise<void>;
};

/** The command line is wrong. Exit code 2. */
export class UsageError extends Error {}
/** No API key is stored. Exit code 3. */
export class NotLoggedIn extends Error {}
/** Part of the work failed and every failure has been printed. Exit code 1. */
export class PartlyFailed extends Error {}
