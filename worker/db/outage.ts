import { DrizzleQueryError } from 'drizzle-orm';
import { StorageError } from './client.ts';

/**
 * Error messages with which D1, KV and the runtime report an outage or an overload. The platform
 * gives these errors no class or code, so this module has to match their messages. Our own modules
 * throw typed errors. D1 puts `D1_ERROR: ` before the message of its cause
 * (https://github.com/cloudflare/workerd/blob/main/src/cloudflare/internal/d1-api.ts).
 */
const PLATFORM_OUTAGE = /D1_|D1 DB|KV |storage|Network connection lost|overloaded|timed? ?out/i;

/**
 * Error messages of a faulty statement or value: D1 has answered, so trying again would not help.
 */
const STATEMENT_ERROR =
  /constraint|syntax error|no such (table|column|function)|TYPE_ERROR|SQLITE_(ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)/i;

/** True if storage did not do what it was asked to, and may do it later. */
export function isOutage(error: unknown): boolean {
  const messages: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof StorageError) return true;
    // Drizzle quotes the statement and its values, which may contain any words.
    if (!(one instanceof DrizzleQueryError)) messages.push(one.message);
  }
  return (
    messages.some((message) => PLATFORM_OUTAGE.test(message)) &&
    !messages.some((message) => STATEMENT_ERROR.test(message))
  );
}
