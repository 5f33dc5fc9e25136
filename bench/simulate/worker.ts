import { DurableObject } from 'cloudflare:workers';
import type { Query, QueryResult } from '#scripts/shared/d1-on.ts';
import { runProfile, type Extent } from './run-profile.ts';
import { PROFILES } from './traffic.ts';

type WorkerEnv = {
  LINKS: KVNamespace;
  BACKUPS: R2Bucket;
  VARS: Record<string, string>;
  SIMULATION: DurableObjectNamespace;
};
type Simulated = { name: string; extent: Extent; schema: Query[] };

export default {
  fetch: (request: Request, { SIMULATION }: WorkerEnv): Promise<Response> =>
    SIMULATION.get(SIMULATION.newUniqueId()).fetch(request),
};

/**
 * Runs a simulation beside its database. A local D1 is a Durable Object like this one behind HTTP,
 * which takes most of a statement's time. SQLite and its row counts are the same.
 */
export class Simulation extends DurableObject<WorkerEnv> {
  override async fetch(request: Request): Promise<Response> {
    const { LINKS: links, BACKUPS, VARS: vars } = this.env;
    const { name, extent, schema } = await request.json<Simulated>();
    const profile = PROFILES.find((one) => one.name === name);
    if (profile === undefined) throw new Error(`There is no profile "${name}".`);
    await this.run(schema);
    const run = (queries: readonly Query[]) => this.run(queries);
    return Response.json(await runProfile({ run, links, vars, BACKUPS }, profile, extent));
  }

  private run(queries: readonly Query[]): Promise<QueryResult[]> {
    const { storage } = this.ctx;
    return new Promise((resolve) => {
      resolve(storage.transactionSync(() => queries.map((query) => this.runOne(query))));
    });
  }

  private runOne({ sql: text, params }: Query): QueryResult {
    const { sql } = this.ctx.storage;
    const changes = (): number => Number(sql.exec('SELECT total_changes() AS n').one()['n']);
    const [before, startedAt, sizeBefore] = [changes(), performance.now(), sql.databaseSize];
    const cursor = sql.exec(text, ...params);
    const results = { columns: cursor.columnNames, rows: [...cursor.raw()] };
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
