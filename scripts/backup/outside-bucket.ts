import { openS3Bucket } from '#worker/backup/s3-bucket.ts';
import type { CopyBucket } from '#worker/backup/copies.ts';

/**
 * The bucket outside the account, from variables of the shell: after the loss of an account nothing
 * else knows it.
 */
export function outsideBucket(): CopyBucket {
  const of = (name: string) => process.env[name] ?? '';
  const bucket = openS3Bucket({
    BACKUP_S3_URL: of('BACKUP_S3_URL'),
    BACKUP_S3_REGION: of('BACKUP_S3_REGION'),
    BACKUP_S3_KEY_ID: of('BACKUP_S3_KEY_ID'),
    BACKUP_S3_KEY_SECRET: of('BACKUP_S3_KEY_SECRET'),
  });
  if (bucket === null)
    throw new Error(
      'Set BACKUP_S3_URL, BACKUP_S3_REGION, BACKUP_S3_KEY_ID and BACKUP_S3_KEY_SECRET for this command.',
    );
  return bucket;
}
