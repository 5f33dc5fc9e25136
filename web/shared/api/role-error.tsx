import { ErrorLine } from '#web/ui/error-line.tsx';
import type { MeQuery } from './use-me.ts';

/** Says that the member's role could not be read. */
export const RoleError = ({ me: { reload, loading } }: { me: MeQuery }) => (
  <ErrorLine
    message="We couldn’t check your permissions."
    query={{ refetch: reload, isFetching: loading }}
  />
);
