import type { Environment, Settings } from './environment.ts';
import type { Build } from './workers-builds.ts';

/** What the command line asks for. `vars` overrides the stored settings. */
export type Request = {
  environment: Environment;
  vars: Settings['vars'];
  account: string | undefined;
  percent: number;
  replacesDns: boolean;
  /** Settings besides the variables; they override the stored ones. */
  choices: Pick<Settings, 'jurisdiction' | 'location' | 'shards' | 'concurrency'>;
  /** Hosts to add to the settings, and hosts to remove from the settings and the platform. */
  alsoHosts: readonly string[];
  detaches: readonly string[];
  /** A file with secrets for the first upload. */
  secretFile?: string | undefined;
  /** The build that runs the command, if one does. */
  build?: Build | undefined;
};
