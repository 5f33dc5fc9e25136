import { REDIRECT_STATUSES, type RedirectStatus } from '#contract/links/rule-conditions.ts';
import { SelectField } from '#web/ui/select-field.tsx';

type StatusFieldProps = {
  status: number;
  error: string | undefined;
  onStatus: (status: RedirectStatus) => void;
};

const NAMES: Readonly<Record<RedirectStatus, string>> = {
  302: '302 Found',
  301: '301 Moved permanently',
  307: '307 Temporary redirect',
  308: '308 Permanent redirect',
};

const TEMPORARY = 'Every click reaches us, so all of them are counted and a change works at once.';
const PERMANENT =
  'Search engines treat the destination as the new address. Some apps and proxies remember it: their later clicks are not counted, and neither a change nor the end of the link reaches them.';

/** Chooses the status of a link's redirects, and says what it means for counting. */
export const StatusField = ({ status, error, onStatus }: StatusFieldProps) => (
  <SelectField
    label="Redirect status"
    error={error}
    hint={status === 301 || status === 308 ? PERMANENT : TEMPORARY}
    choices={REDIRECT_STATUSES.map((one) => [String(one), NAMES[one]] as const)}
    value={String(status)}
    onSelect={(value) => {
      const chosen = REDIRECT_STATUSES.find((one) => String(one) === value);
      if (chosen !== undefined) onStatus(chosen);
    }}
  />
);
