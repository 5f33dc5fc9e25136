import { ensureWebBuilt } from '#scripts/build/build-web.ts';
import { bundleMinified } from '#scripts/build/bundle.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, WEB_DIST } from '#scripts/shared/place.ts';
import { DeployError } from './environment.ts';
import { network } from './network.ts';
import { connect } from './platform.ts';
import type { Tools } from './run-steps.ts';

const API = 'https://api.cloudflare.com/client/v4';
const SMOKE = 'scripts/deploy/smoke.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export async function openTools(env: Variables = process.env): Promise<Tools> {
  const token = env['CLOUDFLARE_API_TOKEN'] ?? (await readLogin(env));
  return {
    platform: connect(env['CLOUDFLARE_API_BASE_URL'] ?? API, token, waitForLimit),
    wrangler: (args, more) => runWrangler(args, { ...env, ...more }),
    network,
    build: async () => {
      await ensureWebBuilt();
      return WEB_DIST;
    },
    bundle: bundleMinified,
    smoke: runSmokeTest,
    print: (line) => console.log(line),
    now: () => Date.now(),
    revision: env['WORKERS_CI_COMMIT_SHA']?.slice(0, 7) ?? (await readRevision()),
    isLogged: Boolean(env['CI']),
  };
}

function waitForLimit(ms: number): Promise<unknown> {
  console.error(
    `The platform limits requests to 1,200 in 5 minutes. Waiting ${Math.ceil(ms / 1000)} seconds.`,
  );
  return sleep(ms);
}

export async function runWrangler(
  args: readonly string[],
  env: Variables,
  input?: string,
): Promise<string> {
  const { code, output } = await run('wrangler', args, {
    env,
    quiet: true,
    ...(input !== undefined && { input }),
  });
  if (code !== 0)
    throw new DeployError(`\`wrangler ${args.slice(0, 3).join(' ')}\` failed:\n${output.trim()}`);
  return output;
}

async function readLogin(env: Variables): Promise<string> {
  const { code, output } = await run('wrangler', ['auth', 'token', '--json'], { env, quiet: true });
  const token = code === 0 ? (/"token": "([^"]+)"/.exec(output)?.[1] ?? null) : null;
  if (token === null)
    throw new DeployError(
      'You are not logged in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.',
    );
  return token;
}

async function readRevision(): Promise<string> {
  const { code, output } = await run('/usr/bin/env', ['git', 'describe', '--always', '--dirty'], {
    quiet: true,
  });
  return code === 0 ? output.trim() : 'without Git';
}

async function runSmokeTest(origin: string): Promise<boolean> {
  const { code } = await run(process.execPath, [SMOKE, origin]);
  return code === 0;
}
