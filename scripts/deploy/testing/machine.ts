import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { deploy } from '#scripts/deploy/deploy.ts';
import type { Request } from '#scripts/deploy/request.ts';
import { environment } from '#scripts/deploy/environment.ts';
import { connect } from '#scripts/deploy/platform.ts';
import type { Tools } from '#scripts/deploy/run-steps.ts';
import { FakeNetwork } from './fake-network.ts';
import { startFakePlatform, type FakePlatform } from './fake-platform.ts';
import { fakeWrangler } from './fake-wrangler.ts';

export const ORIGIN = 'https://hop.example.com';
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hop-deploy-test-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder of built pages with these files below assets/. */
export function newBuild(files: readonly string[]): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'assets'));
  for (const file of files) writeFileSync(join(folder, 'assets', file), `content of ${file}`);
  return folder;
}

export async function newPlatform(zones?: readonly string[]): Promise<FakePlatform> {
  const platform = await startFakePlatform(zones);
  cleanUps.push(platform.stop);
  return platform;
}

export type Overrides = {
  choices?: Request['choices'];
  vars?: Record<string, string>;
  percent?: number;
  replacesDns?: boolean;
  alsoHosts?: string[];
  detaches?: string[];
  account?: string;
  name?: string;
  secretFile?: string;
};

/** A machine that is logged in to the fake platform. `lines` is the output of its commands. */
export function machine(
  platform: FakePlatform,
  wrangler: Tools['wrangler'] = fakeWrangler(platform.account),
  folder = newFolder(),
) {
  const lines: string[] = [];
  const smoked: string[] = [];
  const release = { folder: newBuild(['index-aaaaaaaa.js']) };
  const network = new FakeNetwork(platform.account);
  const tools: Tools = {
    platform: connect(platform.env.CLOUDFLARE_API_BASE_URL, 'token', (ms) =>
      Promise.resolve(platform.limit.pass(ms)),
    ),
    wrangler,
    network,
    build: () => Promise.resolve(release.folder),
    bundle: () => Promise.resolve('index.js'),
    smoke: (origin) => Promise.resolve(smoked.push(origin) > 0),
    print: (line) => void lines.push(line),
    now: () => network.clock,
    revision: 'abc123',
    isLogged: false,
  };
  const request = ({ name = 'production', vars = {}, ...rest }: Overrides = {}) => ({
    environment: environment(name, folder),
    vars,
    account: undefined,
    percent: 100,
    replacesDns: false,
    choices: {},
    alsoHosts: [],
    detaches: [],
    ...rest,
  });
  return {
    folder,
    lines,
    smoked,
    network,
    release,
    tools,
    request,
    deploy: (overrides: Overrides = {}) =>
      deploy(request({ vars: { APP_ORIGIN: ORIGIN }, ...overrides }), tools),
    upgrade: (overrides: Overrides = {}) => deploy(request(overrides), tools),
  };
}
