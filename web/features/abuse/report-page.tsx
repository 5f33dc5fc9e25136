import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReportRequest } from '#contract/abuse.ts';
import { api, ApiError } from '#web/shared/api.ts';
import { useCaptcha } from '#web/shared/captcha.tsx';
import { shortHost } from '#web/shared/config.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { Field, focusFirstError } from '#web/ui/field.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Input, Textarea } from '#web/ui/input.tsx';
import { RadioOption } from '#web/ui/radio-option.tsx';
import { parseShortCode } from './parse-short-code.ts';

const REASONS: readonly { value: ReportRequest['reason']; label: string; hint: string }[] = [
  { value: 'phishing', label: 'Phishing', hint: 'It pretends to be a site it is not, or asks for passwords or money.' },
  { value: 'malware', label: 'Malware', hint: 'It offers harmful downloads or attacks the browser.' },
  { value: 'spam', label: 'Spam', hint: 'It came in messages nobody asked for.' },
  { value: 'illegal', label: 'Illegal content', hint: 'It leads to something that the law forbids.' },
  { value: 'other', label: 'Something else', hint: 'Say below what is wrong with it.' },
];
const DETAILS_MAX = 2000;

/** Where anyone reports a short link: from its preview, its 410 page, or by hand. */
export function ReportPage() {
  const [query] = useSearchParams();
  const [done, setDone] = useState(false);
  return (
    <div className="mx-auto w-full max-w-reading">
      <PageHeading
        title="Report a link"
        hint="An administrator looks at every report. We keep no name and no address of yours."
      />
      {done ? (
        <EmptyState
          icon={<ShieldCheck aria-hidden="true" />}
          title="Thank you, your report was received"
          action={<LinkButton to="/">Go to the home page</LinkButton>}
        >
          If the link breaks our terms it will stop working, and its page will say why.
        </EmptyState>
      ) : (
        <ReportForm code={query.get('code') ?? ''} onDone={() => setDone(true)} />
      )}
    </div>
  );
}

function ReportForm({ code: given, onDone }: { code: string; onDone: () => void }) {
  const [code, setCode] = useState(given);
  const [reason, setReason] = useState<ReportRequest['reason'] | null>(null);
  const [details, setDetails] = useState('');
  const captcha = useCaptcha();
  const form = useRef<HTMLFormElement>(null);
  const send = useMutation({
    mutationFn: (body: ReportRequest) => api<{ received: true }>('/api/reports', { method: 'POST', body }),
    onSuccess: onDone,
    onError: () => {
      captcha.renew();
      setTimeout(() => focusFirstError(form.current));
    },
  });
  const failure = send.error instanceof ApiError ? send.error : null;
  const errorAt = (field: string): string => (failure?.body.field === field ? failure.message : '');
  const general = send.isError && failure?.body.field === undefined;
  return (
    <form
      ref={form}
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason !== null)
          send.mutate({
            code: parseShortCode(code),
            reason,
            details: details.trim(),
            ...(captcha.token !== '' && { turnstileToken: captcha.token }),
          });
      }}
    >
      <Field label="Short link" hint={`The whole link or its code: ${shortHost()}/code`} error={errorAt('code')}>
        {(control) => (
          <Input
            {...control}
            className="font-mono"
            required
            maxLength={200}
            value={code}
            spellCheck={false}
            autoCapitalize="none"
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="m-0 border-0 p-0">
        <legend className="mb-2 text-13 font-medium">What is wrong with it?</legend>
        <div className="flex flex-col gap-1">
          {REASONS.map((item) => (
            <RadioOption
              key={item.value}
              name="reason"
              required
              label={item.label}
              hint={item.hint}
              checked={reason === item.value}
              onSelect={() => setReason(item.value)}
            />
          ))}
        </div>
      </fieldset>
      <Field
        label="Details (optional)"
        hint="Where you met the link, and what it does. Please leave out personal data."
        error={errorAt('details')}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={4}
            maxLength={DETAILS_MAX}
            value={details}
            onChange={(event) => setDetails(event.target.value)}
          />
        )}
      </Field>
      {captcha.box}
      {general && (
        <ErrorLine
          message={
            failure !== null && failure.status !== 0
              ? failure.message
              : 'The report could not be sent. Check your connection and try again.'
          }
        />
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          pending={send.isPending}
          disabled={parseShortCode(code) === '' || reason === null || !captcha.ready}
        >
          Send report
        </Button>
      </div>
    </form>
  );
}
