import { ChevronDown } from 'lucide-react';
import {
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import type { ShortenRequest, ShortenResponse } from '#contract/links/links.ts';
import { api, errorCode } from '#web/shared/api/api.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorMessage } from '#web/ui/error-message.tsx';
import { Field } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { controlClass, VERBATIM } from '#web/ui/input.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { EMPTY_DRAFT, toShortenRequest } from './typed-draft.ts';
import { forgetTypedLink, readTypedLink, saveTypedLink } from './typed-link.ts';
import { useLinkForm } from './use-link-form.ts';
import { Link } from '#web/ui/link.tsx';

/** Visitors do not need these fields, and the form works without them. */
const MemberFields = lazyOr(() => import('./member-fields.tsx').then((m) => m.MemberFields));

/** Few forms fail. Without its code, for example offline, they show the text of the error alone. */
const FormAlert = lazyOr(
  () => import('./form-alert.tsx').then((m) => m.FormAlert),
  ({ text }) => (
    <p role="alert" className="mt-3 text-14 text-bad">
      <ErrorMessage>{text}</ErrorMessage>
    </p>
  ),
);

/** Why the button is disabled. */
const MISSING_LINK = 'Paste a link first.';

/**
 * The form that shortens a link. Members can also choose an alias. After an error the form keeps
 * its input.
 */
export function ShortenForm({
  member,
  quotaChanges,
  given,
  givenTitle = '',
  input,
  onShortened,
  onUpgrade,
  note,
  children,
}: {
  member: boolean;
  /**
   * Counts the changes of the quota since the page opened. A change clears an error about the
   * quota.
   */
  quotaChanges: number;
  given: string;
  /** The title of the given link, for members. */
  givenTitle?: string;
  input?: RefObject<HTMLInputElement | null>;
  /**
   * `isFocusFree` is true if nothing had the focus, or only the button, which is now disabled.
   * Otherwise the focus must not move.
   */
  onShortened: (link: ShortenResponse, isFocusFree: boolean) => void;
  /** Called by the button that appears when the quota is used up. */
  onUpgrade: () => void;
  /** Shown to visitors below the input while there is no error. */
  note?: ReactNode;
  /** The result of a member's last link. It is below the input, and the options are then closed. */
  children?: ReactNode;
}) {
  const hasResult = Boolean(children);
  const [choosesMore, setChoosesMore] = useState(false);
  const hintId = useId();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const linkForm = useLinkForm(
    (body: ShortenRequest) => api<ShortenResponse>('/api/shorten', { method: 'POST', body }),
    (link, clear) => {
      const focused = document.activeElement;
      clear();
      setChoosesMore(false);
      announce(`Your short URL is ${link.shortUrl}`);
      onShortened(link, focused === button.current || focused === document.body);
    },
    quotaChanges,
  );
  const { draft, set, shorten, error } = linkForm;
  const isVisitorLimit = !member && errorCode(shorten.error) === 'rate_limited';

  const ownField = useRef<HTMLInputElement>(null);
  const field = input ?? ownField;
  // This runs after the first render, which must equal the prerendered page. A visitor may have
  // typed before the code loaded.
  useEffect(() => {
    const text = field.current?.value || given || readTypedLink(Date.now());
    const settings = givenTitle !== '' && text === given ? { title: givenTitle } : {};
    // The first render must equal the prerendered page.
    if (text !== '') set({ longUrl: text, settings });
  }, [field, given, givenTitle, set]);

  const target = draft.longUrl.trim();
  useKeepTypedLink(member ? '' : target);
  const submit = (): void => {
    if (target === '' || shorten.pending) return;
    shorten.run(member ? toShortenRequest(draft) : { longUrl: target });
  };

  return (
    <Form
      ref={form}
      error={shorten.error}
      changed={
        draft !== EMPTY_DRAFT && (target !== '' || draft.alias !== '' || draft.tags.length > 0)
      }
      onSubmit={submit}
      aria-label="Shorten a link"
    >
      <Field label="Destination" hideLabel error={linkForm.errorAt('longUrl')}>
        {(control) => (
          <div dir="ltr" className="relative">
            <input
              {...control}
              ref={field}
              value={draft.longUrl}
              onChange={(event) => linkForm.setLongUrl(event.target.value)}
              inputMode="url"
              {...VERBATIM}
              autoCorrect="off"
              placeholder="Paste a link"
              className={`${controlClass} h-16 rounded-lg! pe-33 ps-4 text-16! sm:pe-44 sm:ps-5 sm:text-20!`}
            />
            {/* A tap on the disabled button reaches the field below it. */}
            <span
              className="absolute top-2 inset-e-2 has-disabled:cursor-not-allowed pointer-coarse:has-disabled:pointer-events-none"
              data-tooltip={target === '' ? MISSING_LINK : undefined}
            >
              {/* The button keeps its color while disabled, because it is the page's main action. */}
              <Button
                ref={button}
                type="submit"
                variant="primary"
                size="lg"
                className="h-12 disabled:pointer-events-none disabled:border-transparent! disabled:bg-ink! disabled:text-canvas/75! max-sm:px-4 max-sm:text-14"
                disabled={target === ''}
                aria-describedby={target === '' ? hintId : undefined}
                pending={shorten.pending}
              >
                Shorten URL
              </Button>
              {target === '' && (
                <span id={hintId} className="sr-only">
                  {MISSING_LINK}
                </span>
              )}
            </span>
          </div>
        )}
      </Field>
      {!member && error === null && (
        <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-13 text-ink-3">
          <p>
            Free, no account needed.{' '}
            <Link to="/auth?tab=sign-up&next=%2F" className={textLinkClass}>
              Sign up
            </Link>{' '}
            for your own alias and the clicks.
          </p>
          {note}
        </div>
      )}
      {error !== null && (isVisitorLimit || error.field === 'form') && (
        <Suspense fallback={null}>
          <FormAlert
            text={error.text}
            isVisitorLimit={isVisitorLimit}
            onUpgrade={error.upgradeRequired ? onUpgrade : null}
          />
        </Suspense>
      )}
      {children}
      {member &&
        (hasResult && !choosesMore ? (
          <Button
            size="sm"
            variant="ghost"
            className="mt-3 -ms-2.5"
            aria-expanded={false}
            onClick={() => setChoosesMore(true)}
          >
            Alias and options
            <ChevronDown className="size-4" />
          </Button>
        ) : (
          <Suspense fallback={<div className="mt-3 h-30 pointer-coarse:h-36" />}>
            <MemberFields {...linkForm} />
          </Suspense>
        ))}
    </Form>
  );
}

/**
 * Stores `text` when the visitor leaves the page. Deletes the stored text first, because the form
 * has read it.
 */
function useKeepTypedLink(text: string): void {
  const latest = useRef(text);
  useEffect(() => {
    latest.current = text;
  }, [text]);
  useEffect(() => {
    forgetTypedLink();
    const keep = (): void => {
      if (latest.current !== '') saveTypedLink(latest.current, Date.now());
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, []);
}
