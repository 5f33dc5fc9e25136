import { useState } from 'react';
import { DEVICE_NAMES } from '#contract/links/describe-rule.ts';
import { formatNumber } from '#contract/language.ts';
import type { LinkTestRequest, LinkTestResponse } from '#contract/links/link-test.ts';
import { DEVICES } from '#contract/links/rule-conditions.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/error-text.tsx';
import { Input, VERBATIM } from '#web/ui/input.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { api } from '#web/shared/api/api.ts';
import { formatDateTime } from '#web/shared/texts/format.ts';
import type { SettingChanges } from './link-settings.ts';
import { useSend } from '#web/shared/api/use-send.ts';

type TestLinkProps = { longUrl: string; settings: SettingChanges };

/**
 * Asks where a link with the settings of the form would lead a visitor. The server answers with the
 * function that redirects use, and the link need not be saved.
 */
export function TestLink({ longUrl, settings }: TestLinkProps) {
  const [visitor, setVisitor] = useState({
    device: 'ios',
    country: '',
    language: '',
    query: '',
    at: '',
  });
  const set = (change: Partial<typeof visitor>): void =>
    setVisitor((before) => ({ ...before, ...change }));
  const test = useSend(
    (body: LinkTestRequest) => api<LinkTestResponse>('/api/links/test', { method: 'POST', body }),
    [],
  );
  const send = (): void => {
    const { device: chosen, at, ...texts } = visitor;
    const device = DEVICES.find((one) => one === chosen);
    const { password, ...tested } = settings;
    test.mutate({
      longUrl,
      settings: { ...tested, hasPassword: (password ?? '') !== '' },
      visitor: {
        ...texts,
        ...(device === undefined ? {} : { device }),
        ...(at === '' ? {} : { at: new Date(at).getTime() }),
      },
    });
  };
  return (
    <section aria-label="Test it">
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Visitor’s device"
          choices={[
            ...DEVICES.map((device) => [device, DEVICE_NAMES[device]] as const),
            ['', 'Something else'],
          ]}
          value={visitor.device}
          onSelect={(device) => set({ device })}
        />
        <TextField
          {...VERBATIM}
          label="Visitor’s country"
          placeholder="BR"
          maxLength={2}
          value={visitor.country}
          onText={(country) => set({ country })}
        />
        <TextField
          {...VERBATIM}
          label="Visitor’s language"
          placeholder="pt-BR"
          value={visitor.language}
          onText={(language) => set({ language })}
        />
        <TextField
          {...VERBATIM}
          label="Query parameters"
          placeholder="ref=mail"
          value={visitor.query}
          onText={(query) => set({ query })}
        />
        <div className="sm:col-span-2">
          <Field label="Time of the click" hint="Now, if you leave it empty.">
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                value={visitor.at}
                onChange={(event) => set({ at: event.target.value })}
              />
            )}
          </Field>
        </div>
      </div>
      <Button size="sm" className="mt-3" pending={test.isPending} onClick={send}>
        Test link
      </Button>
      <output className="mt-3 block text-14 [overflow-wrap:anywhere] text-ink empty:hidden">
        {test.data !== undefined && describeResult(test.data)}
      </output>
      <ErrorText className="mt-2">{test.error?.message}</ErrorText>
    </section>
  );
}

/** Says what happens: 'Rule 2 leads to https://… (302).' */
export function describeResult(result: LinkTestResponse): string {
  if (result.kind === 'ended') return 'The link has expired and leads nowhere.';
  if (result.kind === 'not_yet')
    return `The link has not started. It starts on ${formatDateTime(new Date(result.startsAt).toISOString())}.`;
  const { clickLimit, asksPassword } = result;
  const first = asksPassword === true ? 'The link asks for its password first. ' : '';
  const where = first + describeRedirect(result);
  return clickLimit === undefined
    ? where
    : `${where} The click is one of ${formatNumber(clickLimit)}.`;
}

function describeRedirect(
  result: Extract<LinkTestResponse, { kind: 'redirect' | 'shares' }>,
): string {
  const { status } = result;
  if (result.kind === 'shares') {
    const list = result.shares.map(({ url, weight }) => `${weight}% to ${url}`);
    return `The link divides its visitors: ${list.join(', ')} (${status}).`;
  }
  const { by, to } = result;
  if (by === 'fallback') return `The link has expired and leads to ${to} (${status}).`;
  return by === 'default'
    ? `No rule matches. The link leads to ${to} (${status}).`
    : `Rule ${by + 1} leads to ${to} (${status}).`;
}
