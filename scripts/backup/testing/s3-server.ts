import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** A local S3 server with two buckets, for tests. It checks the signature of every request. */
export async function startS3Server() {
  const directory = mkdtempSync(join(tmpdir(), 'hop-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'copies' }, { name: 'other' }],
  });
  const { port } = await server.run();
  const settings = {
    BACKUP_S3_URL: `http://127.0.0.1:${port}/copies`,
    BACKUP_S3_REGION: 'eu-1',
    BACKUP_S3_KEY_ID: 'S3RVER',
    BACKUP_S3_KEY_SECRET: 'S3RVER',
  };
  return {
    settings,
    close: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
