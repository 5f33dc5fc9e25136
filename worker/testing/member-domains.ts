import { env } from 'cloudflare:test';
import { vi, onTestFinished } from 'vitest';
import type { Domain } from '#contract/domains.ts';
import { checkHosts } from '#worker/domains/saas/check-hosts.ts';
import { UNBOUNDED } from '#worker/job-runtime/job-budget.ts';
import { call } from './call.ts';
import { createFakeSaas } from './fake-saas.ts';
import type { Person } from './make.ts';

export const SAAS_TOKEN = 'recognizable-token-9f2c';
export const SAAS_TARGET = 'in.saas.test';

/** A deployment on which members can bring domains, with a fake platform at the network's edge. */
export function startSaas(overrides: Partial<Env> = {}) {
  const saas = createFakeSaas({ zoneId: 'zone', token: SAAS_TOKEN, target: SAAS_TARGET });
  const settings: Partial<Env> = { ...saas.settings, ...overrides };
  const spy = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation((input, init) =>
      saas.respond(input instanceof Request ? input.url : String(input), init),
    );
  onTestFinished(() => spy.mockRestore());
  const ask = (person: Person, method: string, path: string, json?: object) =>
    call(
      `/api/domains${path}`,
      { method, headers: person.headers, ...(json === undefined ? {} : { json }) },
      settings,
    );
  const add = (person: Person, name: string, confirmed = true) =>
    ask(person, 'POST', '', { name, confirmed });
  const check = async (person: Person, host: string): Promise<Domain> => {
    const response = await ask(person, 'POST', `/${host}/check`);
    if (response.status !== 200) throw new Error(`The check answered ${response.status}.`);
    return response.json();
  };
  const proofOf = ({ records }: Domain): string =>
    records.find(({ type }) => type === 'TXT')?.value ?? '';
  /** Claims the host and enters the record. Checks it, so that it is theirs if nobody holds it. */
  const prove = async (person: Person, host: string): Promise<Domain> => {
    const added = await add(person, host);
    const claim = added.status === 201 ? await added.json<Domain>() : await check(person, host);
    saas.setRecords(`_hop.${host}`, 'TXT', [proofOf(claim)]);
    return check(person, host);
  };
  return {
    saas,
    settings,
    ask,
    add,
    check,
    prove,
    proofOf,
    connect: async (person: Person, host: string): Promise<Domain> => {
      await prove(person, host);
      saas.setRecords(host, 'CNAME', [SAAS_TARGET]);
      return check(person, host);
    },
    /** Runs the job, with the clock of the platform. */
    runJob: (now: number) => {
      saas.setClock(now);
      return checkHosts({ ...env, ...settings }, now, UNBOUNDED, saas.respond);
    },
  };
}
