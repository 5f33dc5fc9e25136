import { MoreOptions } from '#web/shared/more-options.tsx';
import { AliasField } from './alias-field.tsx';
import type { LinkForm } from './use-link-form.ts';

/** The fields of Home's form that only members have. */
export const MemberFields = ({ draft, set, alias, details, settings }: LinkForm) => (
  <div className="mt-3 sm:w-fit sm:min-w-120">
    <AliasField {...alias} />
    <div className="mt-2">
      <MoreOptions
        longUrl={draft.longUrl}
        onLongUrl={(longUrl) => set({ longUrl })}
        {...settings}
        details={details}
      />
    </div>
  </div>
);
