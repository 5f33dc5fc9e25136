import { dataOf, done, type ApiDomain } from './client.ts';
import { UsageError, type Call, type Command } from './command.ts';
import { confirm } from './confirm.ts';
import { request } from './request.ts';
import { bold, table } from './text.ts';

const ACTIONS = ['list', 'add', 'show', 'check', 'update', 'delete'] as const;

export const domainsCommand: Command = {
  args: [
    { name: 'ACTION', choices: ACTIONS, isOptional: true },
    { name: 'DOMAIN', isOptional: true },
  ],
  summary: 'List the domains for your links, or add, check, change or delete one.',
  options: {
    confirm: { text: 'with add: the website or mail of the host may stop' },
    root: { value: 'URL', text: 'with update: where its root leads; empty for nowhere' },
    'not-found': { value: 'URL', text: 'with update: where unknown codes lead' },
    yes: { short: 'y', text: 'with delete: do not ask' },
  },
  examples: ['hop domains', 'hop domains add go.example.com', 'hop domains check go.example.com'],
  async run(call) {
    const action = ACTIONS.find((name) => name === (call.args[0] ?? 'list')) ?? 'list';
    if (action === 'list') return list(call);
    const domain = call.args[1];
    if (domain === undefined) throw new UsageError(`Name the domain: hop domains ${action} DOMAIN`);
    return RUN[action](call, domain);
  },
};

async function list({ client, print }: Call): Promise<void> {
  const domains = await request(() => dataOf(client().GET('/domains')));
  const rows = domains.data.map(({ name, state, shared, fault }) => [
    name,
    state,
    shared ? 'shared' : (fault ?? ''),
  ]);
  print(domains, rows.length === 0 ? ['No domains.'] : table(rows));
}

const pathOf = (domain: string) => ({ params: { path: { domain } } });

const RUN: Record<
  Exclude<(typeof ACTIONS)[number], 'list'>,
  (call: Call, domain: string) => Promise<void>
> = {
  add: async ({ client, has, print }, name) => {
    const body = { name, ...(has('confirm') ? { confirmed: true } : {}) };
    show(print, await request(() => dataOf(client().POST('/domains', { body }))));
  },
  show: async ({ client, print }, domain) =>
    show(print, await request(() => dataOf(client().GET('/domains/{domain}', pathOf(domain))))),
  check: async ({ client, print }, domain) =>
    show(
      print,
      await request(() => dataOf(client().POST('/domains/{domain}/check', pathOf(domain)))),
    ),
  update: async ({ client, text, print }, domain) => {
    const [rootUrl, notFoundUrl] = [text('root'), text('not-found')];
    if (rootUrl === undefined && notFoundUrl === undefined)
      throw new UsageError('Say what changes: --root URL or --not-found URL');
    const body = {
      ...(rootUrl === undefined ? {} : { rootUrl }),
      ...(notFoundUrl === undefined ? {} : { notFoundUrl }),
    };
    show(
      print,
      await request(() => dataOf(client().PATCH('/domains/{domain}', { ...pathOf(domain), body }))),
    );
  },
  delete: async ({ client, has, print }, domain) => {
    const question = `Delete ${domain}? Its links stop. [y/N] `;
    const otherwise = 'Add --yes to delete without being asked.';
    if (!has('yes') && !(await confirm(question, otherwise))) return;
    await request(() => done(client().DELETE('/domains/{domain}', pathOf(domain))));
    print({ deleted: domain }, [`Deleted ${domain}.`]);
  },
};

function show(print: Call['print'], domain: ApiDomain): void {
  const { name, state, fault, suspendedReason, records } = domain;
  const why = suspendedReason ?? fault;
  const rows = records.map((record) => [
    record.type,
    record.name,
    record.value,
    record.state === 'wrong' ? `wrong: ${record.seen.join(', ')}` : record.state,
  ]);
  print(domain, [
    `${name}: ${state}${why === null ? '' : ` (${why})`}`,
    ...(rows.length === 0 ? [] : ['', bold('DNS records:'), ...table(rows)]),
  ]);
}
