import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReportRequest } from '#contract/moderation/abuse.ts';
import { api } from '#web/shared/api/api.ts';
import { useCaptcha } from '#web/shared/sign-in/captcha.tsx';
import { shortHost } from '#web/shared/page/config.ts';
import { LeaveGuard } from '#web/shared/page/leave-guard.tsx';
import { serverErrors } from '#web/shared/api/server-errors.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Form } from '#web/ui/form.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { RadioOption } from '#web/ui/radio-option.tsx';
import { VERBATIM } from '#web/ui/input.tsx';
import { TextareaField, TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';

const REASONS: readonly { value: ReportRequest['reason']; label: string; hint: string }[] = [
  {
    value: 'phishing',
    label: 'Phishing',
    hint: 'The site imitates another one, or asks for passwords or money.',
  },
  {
    value: 'malware',
    label: 'Malware',
    hint: 'The site offers harmful downloads or attacks the browser.',
  },
  { value: 'spam', label: 'Spam', hint: 'The link was sent in unsolicited messages.' },
  {
    value: 'illegal',
    label: 'Illegal content',
    hint: 'The site shows or sells something illegal.',
  },
  { value: 'other', label: 'Something else', hint: 'Describe the problem below.' },
];
const DETAILS_MAX = 2000;

/**
 * The form with which anyone can report a short link. Previews and the pages of disabled links open
 * it with `?code=`.
 */
export function ReportPage() {
  const [query] = useSearchParams();
  const [done, setDone] = useState(false);
  return (
    <div className="w-full max-w-reading">
      <PageHeading
        title="Report a link"
        hint="An administrator reviews every report. We don’t store your name or your address."
      />
      {done ? (
        <EmptyState
          title="Thank you. We received your report."
          action={<LinkButton to="/">Go to the home page</LinkButton>}
        >
          If the link violates our terms, we disable it and its page says why.
        </EmptyState>
      ) : (
        <ReportForm code={query.get('code') ?? ''} onDone={() => setDone(true)} />
      )}
    </div>
  );
}

function ReportForm({ code: initialCode, onDone }: { code: string; onDone: () => void }) {
  const [code, setCode] = useState(initialCode);
  const [reason, setReason] = useState<ReportRequest['reason'] | null>(null);
  const [details, setDetails] = useState('');
  const captcha = useCaptcha();
  const send = useMutation({
    mutationFn: (body: ReportRequest) =>
      api<{ received: true }>('/api/reports', { method: 'POST', body }),
    onSuccess: onDone,
    onError: captcha.reset,
  });
  const required = useRequired({
    code: parseShortCode(code) === '' && 'Enter the short URL.',
    reason: reason === null && 'Choose a reason.',
  });
  const errors = serverErrors(send.error, ['code', 'details']);
  return (
    <Form
      error={send.error}
      className="flex flex-col gap-6"
      onSubmit={() => {
        if (required.check() && reason !== null)
          send.mutate({
            code: code.trim(),
            reason,
            details: details.trim(),
            ...(captcha.token !== '' && { turnstileToken: captcha.token }),
          });
      }}
    >
      <TextField
        {...VERBATIM}
        label="Short URL"
        hint={`The whole link or its code: ${shortHost()}/code`}
        error={required.at('code') || errors.at('code')}
        className="font-mono"
        required
        maxLength={200}
        value={code}
        onText={setCode}
      />
      <fieldset className="m-0 border-0 p-0">
        <legend className="mb-2 text-13 font-medium">What is wrong with the link?</legend>
        <ErrorText className="mb-2">{required.at('reason')}</ErrorText>
        <div className="-mx-3 flex flex-col gap-1">
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
      <TextareaField
        label="Details (optional)"
        hint="Where you found the link and what it does. Don’t include personal data."
        error={errors.at('details')}
        rows={4}
        maxLength={DETAILS_MAX}
        value={details}
        onText={setDetails}
      />
      <LeaveGuard active={details !== '' && !send.isSuccess}>Your report is not sent.</LeaveGuard>
      {captcha.widget}
      {errors.rest !== '' && <ErrorLine message={`The report was not sent. ${errors.rest}`} />}
      <div>
        <Button
          type="submit"
          variant="primary"
          pending={send.isPending}
          disabled={!captcha.isReady}
        >
          Send report
        </Button>
      </div>
    </Form>
  );
}

/**
 * Returns the code in pasted text, '' if there is none: a short URL with or without its scheme, the
 * address of a preview, or only the code. The host decides about the link, too, so the whole text
 * is sent.
 */
export function parseShortCode(text: string): string {
  const trimmed = text.trim();
  const path = trimmed.replace(/^https?:\/\//i, '');
  const slash = path.indexOf('/');
  const tail = slash === -1 ? path : path.slice(slash + 1);
  return tail.replace(/[?#].*$/, '').replace(/\+?\/?$/, '');
}
