import { ChevronDown, CircleAlert } from 'lucide-react';
import {
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import type { SettingName } from '#contract/link-settings.ts';
import type { ShortenRequest, ShortenResponse } from '#contract/links.ts';
import { api, errorCode } from '#web/shared/api.ts';
import { MoreOptions } from '#web/shared/more-options.tsx';
import { useAsyncAction } from '#web/shared/use-async-action.ts';
import { useChange } from '#web/shared/use-change.ts';
import { announce } from '#web/ui/announcer.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorMessage } from '#web/ui/error-message.tsx';
import { Field } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { controlClass, VERBATIM } from '#web/ui/input.tsx';
import { lazyOr } from '#web/ui/lazy-or.ts';
import { textLinkClass } from '#web/ui/external-link.tsx';
import { VanishingButton } from '#web/ui/vanishing-button.tsx';
import { AliasField } from './alias-field.tsx';
import { EMPTY_DRAFT, toShortenRequest, type TypedDraft } from './typed-draft.ts';
import { describeShortenError } from './shorten-error.ts';
import { forgetTypedLink, readTypedLink, saveTypedLink } from './typed-link.ts';
import { Link } from '#web/ui/link.tsx';

/** Few visitors reach a limit. Without its code, they see the text of the error alone. */
const LimitInvitation = lazyOr<{ text: string }>(
  () => import('./limit-invitation.tsx').then((m) => m.LimitInvitation),
  ({ text }) => (
    <p role="alert" className="mt-3 text-14 text-bad">
      {text}
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
  /** The result of a member's last link. It is below the input, and the options are then closed. */
  children?: ReactNode;
}) {
  const hasResult = children !== undefined && children !== null && children !== false;
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [choosesMore, setChoosesMore] = useState(false);
  const set = (change: Partial<TypedDraft>): void =>
    setDraft((before) => ({ ...before, ...change }));
  const hintId = useId();
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const shorten = useAsyncAction(
    (body: ShortenRequest) => api<ShortenResponse>('/api/shorten', { method: 'POST', body }),
    (link) => {
      const focused = document.activeElement;
      setDraft(EMPTY_DRAFT);
      setChoosesMore(false);
      announce(`Your short URL is ${link.shortUrl}`);
      onShortened(link, focused === button.current || focused === document.body);
    },
  );
  const error = shorten.error === null ? null : describeShortenError(shorten.error);
  const errorAt = (field: keyof ShortenRequest | SettingName): string | undefined =>
    error?.field === field ? error.text : undefined;
  const isVisitorLimit = !member && errorCode(shorten.error) === 'rate_limited';

  useChange(quotaChanges, () => {
    if (errorCode(shorten.error) === 'quota_reached') shorten.reset();
  });

  const ownField = useRef<HTMLInputElement>(null);
  const field = input ?? ownField;
  // This runs after the first render, which must equal the prerendered page. A visitor may have
  // typed before the code loaded.
  useEffect(() => {
    const text = field.current?.value || given || readTypedLink(Date.now());
    const settings = givenTitle !== '' && text === given ? { title: givenTitle } : {};
    // oxlint-disable-next-line react/set-state-in-effect -- the first render must equal the prerendered page.
    if (text !== '') setDraft((before) => ({ ...before, longUrl: text, settings }));
  }, [field, given, givenTitle]);

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
      <Field label="Destination" hideLabel error={errorAt('longUrl')}>
        {(control) => (
          <div className="relative">
            <input
              {...control}
              ref={field}
              value={draft.longUrl}
              onChange={(event) => {
                set({ longUrl: event.target.value });
                if (error?.field === 'longUrl') shorten.reset();
              }}
              inputMode="url"
              {...VERBATIM}
              autoCorrect="off"
              placeholder="Paste a link"
              className={`${controlClass} h-16 rounded-lg! pe-33 ps-4 text-16! sm:pe-44 sm:ps-5 sm:text-20!`}
            />
            <span
              className="absolute top-2 inset-e-2 has-disabled:cursor-not-allowed"
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
        <p className="mt-3 text-13 text-ink-3">
          Free, no account needed.{' '}
          <Link to="/auth?tab=sign-up&next=%2F" className={textLinkClass}>
            Sign up
          </Link>{' '}
          to choose your own alias and see the clicks.
        </p>
      )}
      {isVisitorLimit && error !== null && (
        <Suspense fallback={null}>
          <LimitInvitation text={error.text} />
        </Suspense>
      )}
      {error?.field === 'form' && !isVisitorLimit && (
        <div
          role="alert"
          className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-transparent bg-bad-soft px-3 py-2.5 text-14 text-bad"
        >
          <CircleAlert className="size-4 shrink-0" />
          <p className="min-w-0 flex-1 basis-52">
            <ErrorMessage>{error.text}</ErrorMessage>
          </p>
          {error.upgradeRequired && (
            <VanishingButton size="sm" onClick={onUpgrade}>
              See plans
            </VanishingButton>
          )}
        </div>
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
          <div className="mt-3 sm:w-fit sm:min-w-120">
            <AliasField
              alias={draft.alias}
              error={errorAt('customCode')}
              onAlias={(alias) => {
                set({ alias });
                if (error?.field === 'customCode') shorten.reset();
              }}
            />
            <div className="mt-2">
              <MoreOptions
                longUrl={draft.longUrl}
                onLongUrl={(longUrl) => set({ longUrl })}
                settings={draft.settings}
                onSetting={(name, value) => set({ settings: { ...draft.settings, [name]: value } })}
                errorAt={errorAt}
                details={{
                  tags: draft.tags,
                  onTags: (tags) => set({ tags }),
                  tagError: errorAt('tags'),
                }}
              />
            </div>
          </div>
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
