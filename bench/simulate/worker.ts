import type { LocalStorage, Statement, StatementResult } from './local-storage.ts';
import { runProfile } from './run-profile.ts';
import { PROFILES } from './traffic.ts';

type WorkerEnv = { DB: D1Database; LINKS: KVNamespace; BACKUPS: R2Bucket; VARS: Record<string, string> };

/**
 * The Worker around the local storage. It runs statements for code in Node, and whole simulations: there a call of D1 takes a tenth of
 * the time that it takes from Node.
 */
export default {
  async fetch(request: Request, { DB, LINKS, BACKUPS, VARS }: WorkerEnv): Promise<Response> {
    const run = async (statements: readonly Statement[]): Promise<StatementResult[]> => {
      const prepared = statements.map(({ query, params }) => DB.prepare(query).bind(...params));
      const [only, second] = prepared;
      return only !== undefined && second === undefined ? [await only.all()] : DB.batch(prepared);
    };
    try {
      if (new URL(request.url).pathname === '/run') return Response.json(await run(await request.json<Statement[]>()));
      const { name, months } = await request.json<{ name: string; months: number }>();
      const profile = PROFILES.find((one) => one.name === name);
      if (profile === undefined) throw new Error(`There is no profile "${name}".`);
      const links: LocalStorage['links'] = {
        get: (key) => LINKS.get(key),
        put: (key, value) => LINKS.put(key, value),
        delete: (key) => LINKS.delete(key),
      };
      return Response.json(await runProfile({ run, links, vars: VARS, BACKUPS }, profile, months));
    } catch (error) {
      return new Response(error instanceof Error ? (error.stack ?? error.message) : 'failed', { status: 500 });
    }
  },
};
