import {
  findInvalidVars,
  hostsOf,
  isFreePlan,
  isSignInHosted,
  type Settings,
} from './environment.ts';
import type { Request } from './request.ts';
import { mailDomain, type Facts } from './facts.ts';
import type { HostFacts } from './hosts.ts';
import { keyOf } from './resources.ts';
import { isWorkersDev, type Names, type Resource } from './worker-config.ts';
import { FROM_BEFORE } from '#worker/messages/backup.ts';

export const FREE_LIMITS =
  'The platform’s free plan allows 10 ms of CPU and 50 D1 queries per invocation, and a day 100,000 requests, 100,000 rows written to D1, 1,000 writes to KV and 10,000 queue operations.';

/** `problems` stop the deployment before anything changes; `notes` inform the owner. */
export type Preflight = { problems: string[]; notes: string[] };

/** Runs the checks that need no account. */
export function checkSettings(settings: Settings): string[] {
  const { vars } = settings;
  const problems = findInvalidVars(settings);
  if ((vars['APP_ORIGIN'] ?? '') === '') problems.push(NEEDS_ORIGIN);
  if (isFreePlan(vars) && !isSignInHosted(vars)) problems.push(NEEDS_HOSTED_SIGN_IN);
  return problems;
}

const NEEDS_ORIGIN =
  'Which address should it have? Run the command again with `--origin https://hop.example` (a domain in your account) or `--origin https://hop-NAME.SUBDOMAIN.workers.dev`.';
const NEEDS_HOSTED_SIGN_IN = `${FREE_LIMITS} Hashing a password takes more, so the free plan needs a hosted sign-in project: \`--var SUPABASE_URL=… --var SUPABASE_PUBLISHABLE_KEY=…\`.`;

const NO_MAIL =
  'MAIL_FROM is not set, so no mail is sent and nobody can confirm a new account. Deploy with `--var MAIL_FROM=hop@example.com`, or accept accounts without a mail: `--var AUTH_AUTOCONFIRM=on`.';

/**
 * wrangler opens a preview session on workers.dev for commands that use remote bindings, and
 * registers a random subdomain if there is none.
 */
const NO_SUBDOMAIN =
  'The account has no workers.dev subdomain. `npm run backup -- --remote` and `npm run restore -- --remote` need one, and would register one with a random name: choose it at https://dash.cloudflare.com/?to=/:account/workers/subdomain.';

function planNotes(vars: Settings['vars'], { plan, unknownPlans }: Facts): string[] {
  if (plan !== 'unknown' || vars['WORKERS_PLAN'] !== undefined) return [];
  const reason =
    unknownPlans.length === 0
      ? 'The login may not read the account’s plan.'
      : `The account’s subscriptions (${unknownPlans.join(', ')}) do not say whether it has Workers Paid.`;
  return [
    `${reason} Hop assumes it. Say which plan it is with \`--plan paid\` or \`--plan free\`; https://dash.cloudflare.com/?to=/:account/workers/plans shows it.`,
  ];
}

/** Runs the checks of the account. `before` holds the settings of the last deployment. */
export function checkPreflight(
  { workerName, resources }: Names,
  settings: Settings,
  facts: Facts,
  { replacesDns, detaches, build }: Pick<Request, 'replacesDns' | 'detaches' | 'build'>,
  before: Partial<Settings> | null,
): Preflight {
  const { vars } = settings;
  const hosts = hostsOf(settings);
  const lost = facts.attachedHosts.filter((host) => !hosts.includes(host));
  const problems: string[] = [];
  const isPlaceholder = build !== undefined && facts.worker?.isBlank === true;
  if (facts.worker !== null && !facts.worker.isOurs && !isPlaceholder)
    problems.push(
      `The account has a Worker called ${workerName} that is not this product. Choose another environment: \`--env NAME\`.`,
    );
  problems.push(
    ...facts.outdatedDatabases.map(
      (name) =>
        `The database ${name} ${FROM_BEFORE} To keep its links, export them with the version that made it. Then start empty: deploy another environment with \`--env NAME\`, or delete this one with \`npm run destroy -- --env NAME\` and deploy it again.`,
    ),
  );
  problems.push(
    ...facts.foreignDatabases.map(
      (name) =>
        `The account has a D1 database called ${name} with tables that are not Hop’s. It is left alone. Choose another environment with \`--env NAME\`, or rename yours in the settings (names).`,
    ),
    ...facts.hosts.flatMap((host) => hostProblem(workerName, host, replacesDns)),
    ...lost.filter((host) => !detaches.includes(host)).map(wouldDetach),
    ...detaches.filter((host) => hosts.includes(host)).map(isInUse),
  );
  if (facts.plan === 'free' && vars['WORKERS_PLAN'] === undefined)
    problems.push(
      `The account is on the free plan. ${FREE_LIMITS} Upgrade it to Workers Paid, or deploy with \`--plan free\`. If it is wrong, \`--plan paid\` counts.`,
    );
  problems.push(
    ...placeProblems(resources, settings, facts, before),
    ...shardProblems(resources, facts),
  );
  const notes = [
    ...lost.map((host) => `${host} is detached. Links that name it stop working.`),
    ...planNotes(vars, facts),
    ...facts.hosts.flatMap(hostNotes),
    ...(facts.hasSubdomain ? [] : [NO_SUBDOMAIN]),
    ...settingsNotes(settings),
    ...mailNotes(vars, facts),
    ...secretNotes(vars, facts),
    ...changedVars(settings, facts),
  ];
  return { problems, notes };
}

/**
 * A class of Durable Objects is created for all requests or none
 * (https://developers.cloudflare.com/workers/versions-and-deployments/gradual-deployments/with-durable-objects/).
 */
export function checkStaged(classes: readonly string[], percent: number, facts: Facts): string[] {
  const { worker } = facts;
  if (percent >= 100 || worker === null) return [];
  return classes
    .filter((name) => !worker.classes.includes(name))
    .map(
      (name) =>
        `This release brings the Durable Object ${name}, which the platform cannot add for a share of the requests. Deploy it without --percent; releases after it can be staged again.`,
    );
}

/** A database stays where it was created, and a bucket of another jurisdiction is another bucket. */
function placeProblems(
  resources: readonly Resource[],
  settings: Settings,
  { ids }: Facts,
  before: Partial<Settings> | null,
): string[] {
  const exists = resources.some((one) => one.kind === 'd1' && ids.has(keyOf(one)));
  const { jurisdiction, location } = before ?? {};
  const isSame = settings.jurisdiction === jurisdiction && settings.location === location;
  if (!exists || isSame) return [];
  const place = jurisdiction
    ? `in the jurisdiction ${jurisdiction}`
    : `near ${location ?? 'the machine that created it'}`;
  return [
    `The data of this environment is kept ${place}, which cannot be changed. Leave out --jurisdiction and --location, or deploy another environment with \`--env NAME\` and restore a copy there.`,
  ];
}

function shardProblems(resources: readonly Resource[], { worker }: Facts): string[] {
  const shards = resources.filter(({ kind }) => kind === 'd1').length - 1;
  return worker === null || shards >= worker.shards
    ? []
    : [
        `The Worker counts clicks in ${worker.shards} further databases, and the settings name ${shards}. Links keep the database that they were created with: deploy with \`--shards ${worker.shards}\`.`,
      ];
}

/** The platform removes every custom domain that an upload does not name, with its DNS record. */
const wouldDetach = (host: string): string =>
  `${host} reaches the Worker today and is not in the settings, so this deployment would detach it and every link that names it would stop. Keep it with \`--also-host ${host}\`, or give it up with \`--detach ${host}\`.`;

const isInUse = (host: string): string =>
  `${host} cannot be detached, because APP_ORIGIN or SHORT_ORIGIN names it. Choose another \`--origin\` or \`--short-origin\` first.`;

function hostProblem(
  workerName: string,
  { host, zone, nameServers, takenBy }: HostFacts,
  replacesDns: boolean,
): string[] {
  if (zone === 'none' && isWorkersDev(host))
    return [
      `${host} is not this Worker’s address. On workers.dev it is https://${workerName}.SUBDOMAIN.workers.dev, with the account’s subdomain.`,
    ];
  if (zone === 'none')
    return [
      `No domain of this account holds ${host}. Add its domain to the account first, or choose another \`--origin\`. A token needs the permission Zone (Read) to see it.`,
    ];
  if (zone === 'foreign')
    return [
      `The domain of ${host} belongs to another account. Choose that one with \`--account ID\`, or move the domain.`,
    ];
  if (zone === 'pending')
    return [
      `The domain of ${host} is not active yet. Enter its name servers (${nameServers.join(', ')}) at the registrar and wait until https://dash.cloudflare.com shows it as active.`,
    ];
  if (takenBy !== null && !replacesDns)
    return [
      `${host} already has ${takenBy}. Remove it, or deploy with \`--replace-dns\` to replace it.`,
    ];
  return [];
}

const hostNotes = ({ host, isChecked }: HostFacts): string[] =>
  isChecked
    ? []
    : [
        `Whether ${host} already has a DNS record could not be checked, because the login lacks the permission DNS (Read). If it has one, the deployment replaces it.`,
      ];

/** Returns the notes that need no account. */
export function settingsNotes({ vars }: Settings): string[] {
  return isSignInHosted(vars) || vars['MAIL_FROM'] || vars['AUTH_AUTOCONFIRM'] === 'on'
    ? []
    : [NO_MAIL];
}

function mailNotes(vars: Settings['vars'], { canSendMail }: Facts): string[] {
  if (isSignInHosted(vars) || !vars['MAIL_FROM']) return [];
  if (canSendMail === null)
    return [
      `The login may not read whether the domain of ${vars['MAIL_FROM']} is set up for Email Sending. \`npx wrangler email sending list\` shows it to a login that may.`,
    ];
  if (!canSendMail)
    return [
      `Email Sending is not enabled for the domain of ${vars['MAIL_FROM']}: run \`npx wrangler email sending enable ${mailDomain(vars['MAIL_FROM'])}\`.`,
    ];
  return [];
}

/** The platform only shows the names of secrets, never their values. */
function secretNotes(vars: Settings['vars'], { worker }: Facts): string[] {
  if (!isSignInHosted(vars) || worker?.secrets.includes('SUPABASE_JWT_SECRET') !== true) return [];
  return [
    'SUPABASE_JWT_SECRET is set. It needs at least 32 bytes: with a shorter one, the API answers 500 to everyone who is signed in. Delete it if the hosted project publishes its keys.',
  ];
}

/**
 * Returns the variables that this deployment changes, because another machine may have deployed
 * other settings.
 */
function changedVars(settings: Settings, { worker }: Facts): string[] {
  if (worker === null) return [];
  return Object.entries(settings.vars)
    .filter(([name, value]) => worker.vars[name] !== undefined && worker.vars[name] !== value)
    .map(([name, value]) => `${name} changes from "${worker.vars[name]}" to "${value}".`);
}
