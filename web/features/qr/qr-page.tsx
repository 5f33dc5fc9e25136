import { BROKEN_ARC } from '#contract/pages/arcs.ts';
import { codeOfKey } from '#contract/codes/code-of-key.ts';
import { shortUrlOn } from '#contract/codes/link-key.ts';
import { useParams } from 'react-router-dom';
import { RequestError } from '#web/shared/api/api.ts';
import { config } from '#web/shared/page/config.ts';
import { readableUrl } from '#web/shared/texts/format.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { QrStudio } from './qr-studio.tsx';
import { useOwnLink, usePresets } from './queries.ts';

/** The studio for a link's QR code. If the presets fail to load, it starts with a plain code. */
export function QrPage() {
  const { code = '' } = useParams();
  const link = useOwnLink(code);
  const presets = usePresets();
  const isUnknown = link.error instanceof RequestError && link.error.status === 404;
  const name = codeOfKey(code);
  const known = name === code ? shortUrlOn(config.shortOrigin, name) : name;
  const short = readableUrl(link.data?.short_url ?? known);
  return (
    <div>
      <PageHeading
        parent={{ to: '/dashboard', label: 'My URLs' }}
        title="QR code"
        documentTitle={`QR code for ${name}`}
        hint={<span className="font-mono">{short}</span>}
      />
      {presets.isError && link.data !== undefined && (
        <div className="mb-4">
          <ErrorLine message="We couldn’t load your presets." query={presets} />
        </div>
      )}
      {isUnknown ? (
        <Card>
          <EmptyState
            arc={BROKEN_ARC}
            title="We couldn’t find that link in your account."
            action={<LinkButton to="/dashboard">Go to My URLs</LinkButton>}
          >
            It may be deleted, or belong to another account.
          </EmptyState>
        </Card>
      ) : link.isError ? (
        <Card>
          <FailedState title="We couldn’t load the link." query={link} />
        </Card>
      ) : link.data === undefined || presets.isPending ? (
        <StudioSkeleton />
      ) : (
        <QrStudio key={code} link={link.data} presets={presets.data ?? []} />
      )}
    </div>
  );
}

function StudioSkeleton() {
  return (
    <Loading label="Loading the QR code…">
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-128 w-full" />
        <Skeleton className="h-88 w-full" />
      </div>
    </Loading>
  );
}
