import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  APP_LINK_PATHS,
  type AppLinkFile,
  type AppLinksChange,
  type AppLinksResponse,
  type ServedAppLinkFile,
} from '#contract/pages/app-links.ts';
import { formatNumber } from '#contract/language.ts';
import { api } from '#web/shared/api/api.ts';
import { domainChoices } from '#web/shared/link-settings/domain-choices.ts';
import { Time } from '#web/shared/texts/time.tsx';
import { useDomainList } from '#web/shared/link-settings/use-domain-list.ts';
import { useQueryParams } from '#web/shared/page/use-query-params.ts';
import { toast } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Form } from '#web/ui/form.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { TextareaField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { AppLinkStart } from './app-link-start.tsx';
import { useAppLinks } from './queries.ts';

const PHONES: Readonly<Record<AppLinkFile, string>> = {
  apple: 'iPhone and iPad',
  android: 'Android',
};

/** The files with which phones open short links in an app, of one host at a time. */
export function AppLinksTab() {
  const [params, setParams] = useQueryParams();
  const domain = params.get('domain') ?? '';
  const query = useAppLinks(domain);
  const list = useDomainList();
  const shared = list?.domains.filter(({ isShared }) => isShared) ?? [];
  const choices = domainChoices({ domains: shared, defaultDomain: '' }, domain);
  /** What is typed and not saved, by domain and file. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, string | undefined>>>({});
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-14 text-ink-2">
        Phones read these files to decide whether an app opens your short links instead of the
        browser. The app must name this host too. Hop counts no click for a link that an app opens.
      </p>
      {choices.length > 1 && (
        <div className="sm:max-w-64">
          <SelectField
            label="Domain"
            choices={choices}
            value={domain}
            onSelect={(name) => setParams({ domain: name })}
          />
        </div>
      )}
      {query.isError && (
        <ErrorLine
          message={`The files could not be loaded. ${query.error.message}`}
          query={query}
        />
      )}
      {query.isPending && (
        <Loading>
          <Skeleton className="h-64 w-full rounded-lg" />
          <Skeleton className="mt-4 h-64 w-full rounded-lg" />
        </Loading>
      )}
      {query.data?.files.map((file) => (
        <FilePanel
          key={file.url}
          domain={domain}
          stored={file}
          ownPages={query.data.ownPages}
          draft={drafts[file.url]}
          onDraft={(text) => setDrafts((before) => ({ ...before, [file.url]: text }))}
        />
      ))}
    </div>
  );
}

function FilePanel({
  domain,
  stored,
  ownPages,
  draft,
  onDraft,
}: {
  domain: string;
  stored: ServedAppLinkFile;
  ownPages: boolean;
  draft: string | undefined;
  onDraft: (text: string | undefined) => void;
}) {
  const { file, url } = stored;
  const queries = useQueryClient();
  const text = draft ?? stored.content;
  const save = useMutation({
    mutationFn: (content: string) =>
      api<AppLinksResponse>('/api/admin/app-links', {
        method: 'POST',
        body: { domain, file, content } satisfies AppLinksChange,
      }),
    onSuccess: (answer) => {
      const saved = answer.files.find((one) => one.file === file)?.content ?? '';
      onDraft(undefined);
      queries.setQueryData(['admin', 'app-links', domain], answer);
      toast(saved === '' ? 'File removed.' : 'File saved.', {
        note: 'Phones read it when the app is installed or updated.',
      });
    },
  });
  const required = useRequired({
    content: text.trim() === '' && stored.content === '' && 'Enter the text of the file.',
  });
  const name = APP_LINK_PATHS[file].split('/').at(-1) ?? '';
  return (
    <Panel title={PHONES[file]} hint={<span className="[overflow-wrap:anywhere]">{url}</span>}>
      <div className="grid gap-6 lg:grid-cols-2">
        <Form
          className="flex min-w-0 flex-col gap-4"
          error={save.error}
          changed={text !== stored.content}
          onSubmit={() => required.check() && save.mutate(text)}
        >
          {text === '' && <AppLinkStart file={file} ownPages={ownPages} onText={onDraft} />}
          <TextareaField
            label={name}
            hint="JSON. Without text there is no file."
            error={required.at('content') || (save.isError ? save.error.message : '')}
            rows={text === '' ? 4 : 14}
            className="font-mono"
            dir="ltr"
            value={text}
            spellCheck={false}
            onText={onDraft}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" pending={save.isPending}>
              {text.trim() === '' && stored.content !== '' ? 'Remove file' : 'Save file'}
            </Button>
            {text !== stored.content && (
              <Button onClick={() => onDraft(undefined)}>Discard changes</Button>
            )}
          </div>
        </Form>
        <Served file={stored} />
      </div>
    </Panel>
  );
}

/** What a phone receives at the address of the file. */
function Served({ file: { file, content, changedAt, apps, status, type, bytes } }: Shown) {
  return (
    <section aria-label={`What ${PHONES[file]} fetches`} className="min-w-0 space-y-3 text-14">
      <h3 className="font-medium">What a phone fetches</h3>
      {content === '' ? (
        <p className="text-ink-3">404: no file. Short links open in the browser.</p>
      ) : (
        <>
          <p className="text-ink-2">
            {status} · {type} · {formatNumber(bytes)} bytes
            {changedAt !== null && (
              <>
                {' '}
                · saved <Time at={changedAt} />
              </>
            )}
          </p>
          <p>
            {apps.length === 0 ? 'It names no app.' : 'It names: '}
            <span className="font-mono text-13 [overflow-wrap:anywhere]">{apps.join(', ')}</span>
          </p>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
            tabIndex={0}
            dir="ltr"
            aria-label="Content of the file"
            className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-13 whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {content}
          </pre>
        </>
      )}
    </section>
  );
}
type Shown = { file: ServedAppLinkFile };
