import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { LINKS_FILES, LINKS_FORMATS, type LinksFormat } from '#contract/files/links-file.ts';
import { BYTE_ORDER_MARK } from '#contract/files/csv.ts';
import { api, apiText } from '#web/shared/api/api.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { useCodeCheck } from '#web/shared/sign-in/use-code-check.tsx';
import { toastExportFailure } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

const FORMATS: Readonly<Record<LinksFormat, string>> = {
  csv: 'CSV for spreadsheets',
  json: 'JSON',
  redirects: '_redirects (Netlify, Cloudflare Pages)',
  nginx: 'nginx',
  apache: 'Apache',
  caddy: 'Caddy',
  cloudflare: 'Cloudflare Bulk Redirects',
  shlink: 'Shlink',
  yourls: 'YOURLS',
  dub: 'Dub',
};

export function AccountExportPanel() {
  const [format, setFormat] = useState<LinksFormat>('csv');
  const codeCheck = useCodeCheck();
  const json = useMutation({
    mutationFn: () => codeCheck.run(() => api('/api/account/export')),
    onSuccess: (data) =>
      saveFile(
        new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
        'hop-account.json',
      ),
    onError: toastExportFailure,
  });
  const links = useMutation({
    mutationFn: (wanted: LinksFormat) => apiText(`/api/account/links?format=${wanted}`),
    onSuccess: (text, wanted) =>
      saveFile(new Blob([wanted === 'csv' ? BYTE_ORDER_MARK + text : text]), LINKS_FILES[wanted]),
    onError: toastExportFailure,
  });
  return (
    <Panel
      title="Your data"
      hint="Your profile, plan, links with click counts, tags and posts in one JSON file. Or only your links, as a table, or as redirects that work on another server without us."
    >
      {codeCheck.dialog}
      <Button pending={json.isPending} onClick={() => json.mutate()}>
        Download my data
      </Button>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <div className="min-w-52 flex-1 sm:max-w-72">
          <SelectField
            label="Format of the links"
            hideLabel
            choices={LINKS_FORMATS.map((known) => [known, FORMATS[known]])}
            value={format}
            onSelect={(value) => setFormat(LINKS_FORMATS.find((known) => known === value) ?? 'csv')}
          />
        </div>
        <Button pending={links.isPending} onClick={() => links.mutate(format)}>
          Download links
        </Button>
      </div>
    </Panel>
  );
}
