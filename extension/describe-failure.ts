import { RequestFailed } from '#cli/client.ts';
import { formatUtcDay } from '#contract/language.ts';

/** Something that went wrong, as the popup shows it: at a field, or below the form. */
export type Failure = {
  text: string;
  field: 'url' | 'title' | 'code' | 'tags' | null;
  /** Whether the settings of the extension can help. */
  needsSettings: boolean;
};

type Quota = { limit: number; resetsAt: string };

/**
 * Describes why a request failed. `readQuota` is asked only if the quota is used up, because that
 * answer does not always name the day of the reset.
 */
export async function describeFailure(
  thrown: unknown,
  isOnline: boolean,
  readQuota: () => Promise<Quota>,
): Promise<Failure> {
  const failure = { field: null, needsSettings: false };
  if (!(thrown instanceof RequestFailed)) return { ...failure, text: String(thrown) };
  const { problem, message } = thrown;
  if (problem === null) {
    const text = isOnline ? message : 'You are offline. Try again once you have a connection.';
    return { ...failure, text };
  }
  switch (problem.code) {
    case 'unauthenticated':
      return {
        ...failure,
        text: 'The API key does not work. Create a new one, and enter it in the settings.',
        needsSettings: true,
      };
    case 'insufficient_scope':
      return { ...failure, text: message, needsSettings: true };
    case 'quota_reached': {
      const quota = await readQuota().catch(() => null);
      const text =
        quota === null
          ? message
          : `You have used all ${quota.limit} links of this month. Your quota resets on ${formatUtcDay(quota.resetsAt)}.`;
      return { ...failure, text };
    }
    default:
      return { ...failure, text: message, field: fieldOf(problem.errors ?? []) };
  }
}

function fieldOf(parts: readonly { pointer?: string }[]): Failure['field'] {
  const name = parts.map(({ pointer = '' }) => pointer.split('/')[1])[0];
  return name === 'url' || name === 'title' || name === 'code' || name === 'tags' ? name : null;
}
