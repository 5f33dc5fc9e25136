import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { MoreOptions } from '#web/shared/link-settings/more-options.tsx';
import { AliasField, domainOf } from './alias-field.tsx';
import type { NewLinkForm } from './use-link-form.ts';

/** The fields of Home's form that only members have. */
export function MemberFields({ draft, set, alias, details, settings }: NewLinkForm) {
  const list = useDomainList();
  return (
    <div className="mt-3 sm:w-fit sm:min-w-120">
      <AliasField {...domainOf({ draft, set, alias, settings })} list={list} />
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
}
