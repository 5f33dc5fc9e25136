import { DurableObject } from 'cloudflare:workers';
import type { LocalStorage, Statement, StatementResult } from './meter.ts';
import { runProfile, type Extent } from './run-profile.ts';
import { PROFILES } from './traffic.ts';

type WorkerEnv = {
  DB: D1Database;
  LINKS: KVNamespace;
  BACKUPS: R2Bucket;
  VARS: Record<string, string>;
  SIMULATION: DurableObjectNamespace;
};
type Simulated = { name: string; extent: Extent; schema: Statement[] };

/**
 * The Worker around the local storage. It runs D1 statements for code in Node, and whole
 * simulations.
 */
export default {
  async fetch(request: Request, { DB, SIMULATION }: WorkerEnv): Promise<Response> {
    if (new URL(request.url).pathname !== '/run')
      return SIMULATION.get(SIMULATION.newUniqueId()).fetch(request);
    return answer(async (): Promise<StatementResult[]> => {
      const statements = (await request.json<Statement[]>()).map(({ query, params }) =>
        DB.prepare(query).bind(...params),
      );
      const [only, second] = statements;
      return only !== undefined && second === undefined ? [await only.all()] : DB.batch(statements);
    });
  },
};

/**
 * Runs a simulation beside its database. A local D1 is a Durable Object like this one behind HTTP,
 * which takes most of a statement's time. SQLite and its row counts are the same.
 */
export class Simulation extends DurableObject<WorkerEnv> {
  override fetch(request: Request): Promise<Response> {
    const { LINKS, BACKUPS, VARS: vars } = this.env;
    const links: LocalStorage['links'] = {
      get: (key) => LINKS.get(key),
      put: (key, value) => LINKS.put(key, value),
      delete: (key) => LINKS.delete(key),
    };
    return answer(async () => {
      const { name, extent, schema } = await request.json<Simulated>();
      const profile = PROFILES.find((one) => one.name === name);
      if (profile === undefined) throw new Error(`There is no profile "${name}".`);
      await this.run(schema);
      return runProfile(
        { run: (statements) => this.run(statements), links, vars, BACKUPS },
        profile,
        extent,
      );
    });
  }

  private run(statements: readonly Statement[]): Promise<StatementResult[]> {
    const { storage } = this.ctx;
    return new Promise((resolve) => {
      resolve(storage.transactionSync(() => statements.map((statement) => this.runOne(statement))));
    });
  }

  private runOne({ query, params }: Statement): StatementResult {
    const { sql } = this.ctx.storage;
    const changes = (): number => Number(sql.exec('SELECT total_changes() AS n').one()['n']);
    const [before, startedAt, sizeBefore] = [changes(), performance.now(), sql.databaseSize];
    const cursor = sql.exec(
      query,
      ...params.map((value) => (typeof value === 'boolean' ? Number(value) : value)),
    );
    const results = cursor.toArray();
    const duration = performance.now() - startedAt;
    const changed = changes() - before;
    const meta = {
      changes: changed,
      changed_db: changed > 0 || sql.databaseSize !== sizeBefore,
      duration,
      last_row_id: 0,
      rows_read: cursor.rowsRead,
      rows_written: cursor.rowsWritten,
      size_after: sql.databaseSize,
    };
    return { results, meta };
  }
}

async function answer(work: () => Promise<unknown>): Promise<Response> {
  try {
    return Response.json(await work());
  } catch (error) {
    return new Response(error instanceof Error ? (error.stack ?? error.message) : 'failed', {
      status: 500,
    });
  }
}
