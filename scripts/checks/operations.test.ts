import { describe, expect, it } from 'vitest';
import { SIGNAL_TITLES } from '#contract/system/system.ts';
import { runDeploy, runDestroy } from '#scripts/deploy/command.ts';
import type { Request } from '#scripts/deploy/request.ts';
import { runWrangler } from '#scripts/deploy/tools.ts';
import { machine, newPlatform } from '#scripts/deploy/testing/machine.ts';
import { VARIABLES } from '#scripts/generate/configuration.ts';
import { readText, tableRows } from '#scripts/shared/markdown.ts';
import { documentedCommands, wordsOf } from './operations-commands.ts';
import { run } from '#scripts/shared/place.ts';

const commands = documentedCommands();
const startingWith = (...beginnings: string[]) =>
  commands.filter((command) => beginnings.some((beginning) => command.startsWith(beginning)));

/** Commands that no test can execute, with the reason. */
const NOT_EXECUTED: Readonly<Record<string, string>> = {
  'npx wrangler login': 'opens a browser and needs an account',
  'git pull': 'needs a remote repository',
  'npm ci': 'the gate itself begins with it',
  'git switch --detach v1.0.0': 'changes the files of the repository',
  'git switch -': 'changes the files of the repository',
};
/**
 * Commands that other tests execute on the running product, or on the local state because a
 * deployed one needs an account.
 */
const ELSEWHERE = {
  'e2e/redirect.e2e.ts': startingWith('curl ', 'npm run smoke '),
  'scripts/backup/backup-commands.test.ts': startingWith('npm run backup ', 'npm run restore '),
};
const deployments = startingWith('npm run deploy', 'npm run destroy');
const wranglers = startingWith('npx wrangler ').filter((command) => !(command in NOT_EXECUTED));

/** Creates an account that owns the documentation's domain, with a deployed environment `name`. */
async function deployed(name = 'production', choices: Request['choices'] = {}) {
  const platform = await newPlatform(['hop.example', 'new.example']);
  const owner = machine(platform);
  await owner.deploy({ name, vars: { APP_ORIGIN: 'https://hop.example' }, choices });
  return { platform, owner };
}

describe('docs/operations.md', () => {
  it('docs/operations.md has only commands that a test executes, or that none can', () => {
    const known = new Set([
      ...Object.keys(NOT_EXECUTED),
      ...Object.values(ELSEWHERE).flat(),
      ...deployments,
      ...wranglers,
    ]);
    expect(commands.filter((command) => !known.has(command))).toEqual(['openssl rand -base64 32']);
    expect(Object.keys(NOT_EXECUTED).filter((command) => !commands.includes(command))).toEqual([]);
    for (const [file, some] of Object.entries(ELSEWHERE)) {
      expect(some.length).toBeGreaterThan(1);
      expect(readText(file)).toContain('documentedCommands()');
    }
  });

  it.each(deployments)('the command %s works', async (command) => {
    const [, , script, , ...words] = wordsOf(command);
    // Only the first deployment has an address alone; all other commands need an existing one.
    const isFirst = words.includes('--origin') && !words.includes('--also-host');
    const { platform, owner } = isFirst
      ? await newPlatform(['hop.example', 'new.example']).then((empty) => ({
          platform: empty,
          owner: machine(empty),
        }))
      : await deployed(script === 'destroy' ? 'staging' : 'production');
    const args = words.map((word) => word.replace(/^deploy\//, `${owner.folder}/`));
    if (args.includes('rollback')) {
      owner.tools.revision = 'def456';
      await owner.upgrade();
    }
    const open = () => Promise.resolve(owner.tools);
    if (script === 'destroy')
      await runDestroy(args, () => Promise.resolve(true), open, owner.folder);
    else await runDeploy(args, open, owner.folder);
    expect(platform.account.workers.has('hop-production')).toBe(script === 'deploy');
    expect(platform.unknown).toEqual([]);
  });

  it('commands of wrangler reach the deployed Worker and its database', async () => {
    const { platform, owner } = await deployed('production', { shards: 1 });
    const env = { ...process.env, ...platform.env };
    const worker = platform.account.workers.get('hop-production');
    const execute = (command: string) => {
      const args = wordsOf(command).slice(2);
      const words = args.map((word) => word.replace(/^deploy\//, `${owner.folder}/`));
      return runWrangler(words, env, 'a new value').then(
        (output) => output,
        (error: unknown) => `FAILED ${command}: ${String(error)}`,
      );
    };
    // A version that is not deployed keeps `secret put` from working, so it is made last.
    const last = wranglers.filter((command) => command.includes(' versions secret put '));
    const results = [
      ...(await Promise.all(wranglers.filter((one) => !last.includes(one)).map(execute))),
      ...(await Promise.all(last.map(execute))),
    ];
    expect(results.filter((output) => output.startsWith('FAILED'))).toEqual([]);
    expect(results.length).toBeGreaterThan(4);
    expect(worker?.secrets.get('AUTH_SECRET')).toBe('a new value');
    expect(worker?.versions[0]?.id).not.toBe(worker?.live?.id);
    expect(worker?.secrets.get('ALERT_WEBHOOK_URL')).toBe('a new value');
    expect(platform.account.restored.toSorted()).toEqual([
      'hop-production',
      'hop-production-clicks-1',
    ]);
    expect([...platform.account.workers.keys()]).toEqual(['hop-production']);
    expect(platform.unknown).toEqual([]);
  });

  it('the documented command makes a secret that is long enough', async () => {
    const { output } = await run('/usr/bin/env', ['openssl', 'rand', '-base64', '32'], {
      quiet: true,
    });
    expect(Buffer.from(output, 'base64').length).toBe(32);
  });

  it('docs/operations.md says for every signal what to do', () => {
    const rows = new Set(
      [...readText('docs/operations.md').matchAll(/^\| ([\w ]+) \|/gm)].map(([, first]) => first),
    );
    expect(Object.values(SIGNAL_TITLES).filter((title) => !rows.has(title))).toEqual([]);
  });

  it('docs/operations.md says for every secret what a new value changes', () => {
    const [, section = ''] =
      /\n## Rotate secrets\n([^]*?)\n## /.exec(readText('docs/operations.md')) ?? [];
    const first = tableRows(section)
      .map(([names = '']) => names)
      .join(' ');
    const secrets = VARIABLES.flatMap((one) => ('secret' in one ? [one.name] : []));
    expect(secrets.filter((name) => !first.includes(`\`${name}\``))).toEqual([]);
  });
});
