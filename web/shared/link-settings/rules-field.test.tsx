import {
  cleanup,
  fireEvent,
  render,
  renderHook,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RULES_MAX } from '#contract/limits.ts';
import type { LinkRule, TimeWindow } from '#contract/links/rule-conditions.ts';
import { listControls } from '#web/testing/list-controls.ts';
import { useAnnouncement } from '#web/ui/announcer.ts';
import { RulesField } from './rules-field.tsx';
import { describeResult, TestLink } from './test-link.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const IOS: LinkRule = { if: { device: ['ios'] }, to: 'https://app.example/' };
const EARLY: TimeWindow = { zone: 'UTC', from: '08:00', to: '12:00' };
const BRAZIL: LinkRule = { if: { country: ['BR'] }, to: 'https://br.example/' };

function show(first: LinkRule[], errorAt?: (path: string) => string | undefined) {
  const state = { rules: first };
  function Form() {
    const [rules, setRules] = useState(first);
    const set = (changed: LinkRule[]): void => {
      state.rules = changed;
      setRules(changed);
    };
    return <RulesField rules={rules} error={undefined} errorAt={errorAt} onRules={set} />;
  }
  render(<Form />);
  return state;
}
const press = (name: string): void => {
  const button = screen.getByRole('button', { name });
  button.focus();
  fireEvent.click(button);
};

const announced = () => renderHook(useAnnouncement).result.current;

describe('RulesField', () => {
  it('moves rules, keeps the focus on the moved one, and removes them', () => {
    const state = show([IOS, BRAZIL]);
    press('Move rule 2 up');
    expect(state.rules).toEqual([BRAZIL, IOS]);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move rule 1 up');
    expect(announced()).toBe('Rule 2 is now rule 1.');
    press('Move rule 1 up');
    expect(state.rules).toEqual([BRAZIL, IOS]);
    press('Move rule 1 down');
    expect(state.rules).toEqual([IOS, BRAZIL]);
    const announcement = announced();
    press('Move rule 2 down');
    expect([state.rules, announced()]).toEqual([[IOS, BRAZIL], announcement]);
    const inert = [...document.querySelectorAll('[aria-disabled="true"]')];
    expect(inert.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Move rule 1 up',
      'Move rule 2 down',
    ]);
    press('Remove rule 1');
    expect(state.rules).toEqual([BRAZIL]);
    expect(document.activeElement?.textContent).toBe('Add rule');
    expect(announced()).toBe('Rule 1 removed.');
  });

  it('adds a rule with conditions as lists of values', () => {
    const state = show([]);
    press('Add rule');
    expect(announced()).toBe('Rule 1 added.');
    press('Country');
    expect(document.activeElement).toBe(screen.getByLabelText('Country'));
    fireEvent.change(screen.getByLabelText('Country'), { target: { value: 'br, pt,br' } });
    fireEvent.change(screen.getByLabelText('Leads to'), { target: { value: 'app.example' } });
    expect(state.rules).toEqual([
      { if: { device: ['ios'], country: ['BR', 'PT'] }, to: 'app.example' },
    ]);
    expect(screen.getByText('Brazil or Portugal.')).toBeTruthy();
    press('Remove the condition “Device”');
    expect(state.rules).toEqual([{ if: { country: ['BR', 'PT'] }, to: 'app.example' }]);
    expect(document.activeElement?.textContent).toBe('Device');
    // A rule without conditions would match everybody.
    expect(screen.queryByRole('button', { name: /^Remove the condition/ })).toBeNull();
  });

  it('a new condition begins with a choice, and each can be added once', () => {
    const state = show([]);
    press('Add rule');
    for (const name of ['Country', 'Continent', 'Language', 'Query parameter', 'Time']) press(name);
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(state.rules[0]?.if).toEqual({
      device: ['ios'],
      country: [],
      continent: ['EU'],
      language: [],
      query: [],
      time: [{ zone, from: '09:00', to: '17:00' }],
    });
    expect(screen.queryByText('Add a condition')).toBeNull();
    expect(screen.queryByRole('button', { name: /^Remove time/ })).toBeNull();
  });

  it('a link has no more rules than the server accepts', () => {
    show(Array.from({ length: RULES_MAX }, () => IOS));
    expect(screen.queryByText('Add rule')).toBeNull();
    press(`Remove rule ${RULES_MAX}`);
    expect(document.activeElement?.textContent).toBe('Add rule');
  });

  it('shows a rule as a sentence until it is opened', () => {
    show([BRAZIL]);
    expect(screen.queryByLabelText('Leads to')).toBeNull();
    expect(screen.getByRole('listitem').textContent).toContain(`Country: Brazil. → ${BRAZIL.to}`);
    const edit = screen.getByRole('button', { name: 'Edit rule 1' });
    expect(edit.getAttribute('aria-expanded')).toBe('false');
    press('Edit rule 1');
    press('Edit rule 1');
    expect(screen.queryByLabelText('Leads to')).toBeNull();
    press('Edit rule 1');
    expect(screen.getByLabelText('Leads to')).toHaveProperty('value', BRAZIL.to);
    press('Add rule');
    expect(document.activeElement).toBe(screen.getByLabelText('iPhone or iPad'));
  });

  it('opens a rule with an error, and shows it at its field', () => {
    const errors: Record<string, string> = {
      'rules.1': 'No such country.',
      'rules.1.if.country': 'No such country.',
    };
    show([IOS, BRAZIL], (path) => errors[path]);
    expect(screen.getAllByLabelText('Leads to')).toHaveLength(1);
    const field = screen.getByLabelText('Country');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
      'No such country.',
    ]);
  });

  it('each condition has its values, help and errors', () => {
    const conditions = {
      device: ['ios' as const],
      country: ['BR'],
      continent: ['EU' as const],
      language: ['pt'],
      query: ['ref=mail'],
      time: [{ from: '09:00', to: '17:00', zone: 'UTC' }],
    };
    const state = show([{ if: conditions, to: 'a.example' }], (path) => `Wrong ${path}.`);
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      ...Object.keys(conditions).map((name) => `Wrong rules.0.if.${name}.`),
      'Wrong rules.0.to.',
    ]);
    expect(listControls().filter((line) => line.includes('verbatim'))).toEqual([
      'Country: BR, verbatim, “Wrong rules.0.if.country.…”, “Brazil.…”',
      'Language: pt, verbatim, “Wrong rules.0.if.language.…”, “Portuguese.…”',
      'Query parameter: ref=mail, verbatim, “Wrong rules.0.if.query.…”, “Such as ref=mail,…”',
      'Time zone: UTC, verbatim, “A name such…”',
      'Leads to: a.example, verbatim, inputmode=url, dir=ltr, “Wrong rules.0.to.…”',
    ]);
    fireEvent.change(screen.getByLabelText('Language'), { target: { value: 'PT-br' } });
    fireEvent.change(screen.getByLabelText('Query parameter'), { target: { value: 'A=B' } });
    expect(state.rules[0]?.if).toMatchObject({ language: ['pt-br'], query: ['A=B'] });
  });

  it('edits each of several windows of time, adds one and removes one', () => {
    const late: TimeWindow = { zone: 'Asia/Kolkata', days: ['sun'], from: '20:00', to: '02:00' };
    const state = show([{ if: { time: [EARLY, late] }, to: 'https://example.com/' }]);
    press('Edit rule 1');
    const second = within(screen.getByRole('group', { name: 'Time 2' }));
    fireEvent.change(second.getByLabelText('Until'), { target: { value: '03:00' } });
    fireEvent.click(second.getByLabelText('Monday'));
    const changed = { ...late, days: ['mon', 'sun'], to: '03:00' };
    expect(state.rules[0]?.if.time).toEqual([EARLY, changed]);
    press('Add another time');
    expect(state.rules[0]?.if.time).toEqual([EARLY, changed, changed]);
    // A time without days is one on all days.
    const first = within(screen.getByRole('group', { name: 'Time 1' }));
    expect(first.getAllByRole('checkbox', { checked: true })).toHaveLength(7);
    fireEvent.click(first.getByLabelText('Sunday'));
    fireEvent.click(first.getByLabelText('Sunday'));
    fireEvent.change(first.getByLabelText('From'), { target: { value: '07:00' } });
    fireEvent.change(first.getByLabelText('Time zone'), { target: { value: 'Asia/Tokyo' } });
    expect(state.rules[0]?.if.time?.[0]).toEqual({ ...EARLY, from: '07:00', zone: 'Asia/Tokyo' });
    press('Remove time 1');
    expect(state.rules[0]?.if.time).toEqual([changed, changed]);
    expect(document.activeElement?.textContent).toBe('Add another time');
  });
});

describe('TestLink', () => {
  it('sends the settings of the form, and says which rule decides', async () => {
    const bodies: unknown[] = [];
    const answer = { kind: 'redirect', to: BRAZIL.to, status: 302, by: 0 };
    vi.stubGlobal('fetch', (_: string, init: { body: string }) => {
      bodies.push(JSON.parse(init.body));
      return Promise.resolve(Response.json(answer));
    });
    const client = new QueryClient();
    const form = (password: string | true) => (
      <QueryClientProvider client={client}>
        <TestLink longUrl="https://example.com/" settings={{ rules: [BRAZIL], password }} />
      </QueryClientProvider>
    );
    const { rerender } = render(form(''));
    expect(listControls()).toEqual([
      'Visitor’s device: iPhone or iPad',
      'Visitor’s country:, verbatim, maxlength=2',
      'Visitor’s language:, verbatim',
      'Query parameters:, verbatim',
      'Time of the click:, datetime-local, “Now, if you…”',
    ]);
    const fill = (label: string, value: string): void =>
      void fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fill('Visitor’s country', 'BR');
    press('Test link');
    await waitFor(() => screen.getByText('Rule 1 leads to https://br.example/ (302).'));
    // The stored password.
    rerender(form(true));
    fill('Visitor’s device', '');
    fill('Visitor’s language', 'pt-BR');
    fill('Query parameters', 'ref=mail');
    fill('Time of the click', '2027-01-05T12:00');
    press('Test link');
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies).toEqual([
      {
        longUrl: 'https://example.com/',
        settings: { rules: [BRAZIL], hasPassword: false },
        visitor: { device: 'ios', country: 'BR', language: '', query: '' },
      },
      {
        longUrl: 'https://example.com/',
        settings: { rules: [BRAZIL], hasPassword: true },
        visitor: {
          country: 'BR',
          language: 'pt-BR',
          query: 'ref=mail',
          at: new Date(2027, 0, 5, 12).getTime(),
        },
      },
    ]);
  });

  it('describes an answer without a redirect, a fallback and the default', () => {
    const to = 'https://example.com/';
    expect(describeResult({ kind: 'ended' })).toContain('leads nowhere');
    const startsAt = new Date(2027, 0, 5, 12).getTime();
    expect(describeResult({ kind: 'not_yet', startsAt }).replace('\u202f', ' ')).toBe(
      'The link has not started. It starts on Jan 5, 2027, 12:00 PM.',
    );
    expect(
      describeResult({ kind: 'redirect', to, status: 302, by: 'default', clickLimit: 1_000 }),
    ).toBe(`No rule matches. The link leads to ${to} (302). The click is one of 1,000.`);
    expect(describeResult({ kind: 'redirect', to, status: 302, by: 'fallback' })).toContain(
      `expired and leads to ${to}`,
    );
    expect(describeResult({ kind: 'redirect', to, status: 302, by: 0, asksPassword: true })).toBe(
      `The link asks for its password first. Rule 1 leads to ${to} (302).`,
    );
    expect(describeResult({ kind: 'redirect', to, status: 301, by: 'default' })).toBe(
      `No rule matches. The link leads to ${to} (301).`,
    );
  });
});
