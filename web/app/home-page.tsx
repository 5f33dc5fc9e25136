import {
  lazy,
  memo,
  Suspense,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ComponentType,
  type MouseEvent,
} from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { HOME_TITLE } from '#contract/pages/page-titles.ts';
import type { ShortenResponse } from '#contract/links/links.ts';
import { addBrowserLink, useBrowserLinks } from '#web/features/browser-links/stored-links.ts';
import { givenLink } from '#web/features/shorten/given-link.ts';
import { resultFromHistory, toHistoryState } from '#web/features/shorten/kept-result.ts';
import { ShortenForm } from '#web/features/shorten/shorten-form.tsx';
import { untilUsed } from '#web/shared/page/first-use.ts';
import { PLAN_FAILED } from '#web/shared/plans/plans.ts';
import { PrerenderedPart } from '#web/shared/page/prerendered-part.tsx';
import { useSession } from '#web/shared/session/session.ts';
import { useHeadingFocus } from '#web/ui/use-heading-focus.ts';
import { usePageTitle } from '#web/ui/use-page-title.ts';
import { ErrorLine } from '#web/ui/error-line.tsx';
import { lazyOr } from '#web/ui/lazy-or.tsx';

/**
 * The prerendered text of Home needs no code, so its code loads on first use. If that fails, the
 * text stays. These parts are memoized because React drops prerendered HTML whose properties change
 * before its code has loaded.
 */
const lazyText = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  const Text = lazy(() =>
    untilUsed()
      .then(load)
      .then(
        (component) => ({ default: component }),
        () => new Promise<never>(() => undefined),
      ),
  );
  return memo(function TextPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Text {...props} />
      </Suspense>
    );
  });
};
const Example = lazyText(() => import('./home-example.tsx').then((m) => m.HomeExample));
const Pitch = lazyText(() => import('./home-pitch.tsx').then((m) => m.HomePitch));

const loadResult = () => import('./home-result.tsx');
/** If its code does not load, a new link shows as plain text. */
const HomeResult = lazyOr(() => loadResult().then((m) => m.HomeResult), PlainResult);

function PlainResult({ link }: ComponentProps<(typeof import('./home-result.tsx'))['HomeResult']>) {
  return (
    <p
      data-result=""
      className="col-start-1 row-start-1 font-mono text-20 [overflow-wrap:anywhere]"
    >
      {link.shortUrl}
    </p>
  );
}

/** Falls back to an error line, so that the form still works if the members' part fails to load. */
const HomeMember = lazyOr(() => import('./home-member.tsx').then((m) => m.HomeMember), LoadError);

/** Few visitors have such links, so their list loads on demand. The page works without it. */
const BrowserLinksPanel = lazyOr(() =>
  import('#web/features/browser-links/browser-links-panel.tsx').then((m) => m.BrowserLinksPanel),
);

/** The approximate height of that panel in pixels, so that content below it hardly moves. */
const panelHeight = (rows: number): number => 86 + rows * 62;

function LoadError() {
  const reload = { refetch: () => window.location.reload(), isManual: true };
  return <ErrorLine message={PLAN_FAILED} query={reload} />;
}

/** The first questions of visitors. Each leads to its answer further down. */
const QUESTIONS = [
  ['moving', 'Coming from Bitly?'],
  ['stored', 'What we store'],
  ['developers', 'API'],
] as const;

/**
 * Shows a section without a navigation: React would drop the sections, whose code has not loaded,
 * if the router's location changed.
 */
function showSection(event: MouseEvent, id: string): void {
  const section = document.getElementById(id);
  if (section === null || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  section.scrollIntoView();
  section.focus({ preventScroll: true });
}

const Questions = () => (
  <p className="flex flex-wrap gap-x-5">
    {QUESTIONS.map(([id, label]) => (
      <a
        key={id}
        href={`#${id}`}
        onClick={(event) => showSection(event, id)}
        className="inline-flex items-center text-ink-2 underline decoration-line-strong underline-offset-3 hover:text-ink pointer-coarse:min-h-11"
      >
        {`${label} `}
      </a>
    ))}
  </p>
);

const isNewLink = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'newLink' in state && state.newLink === true;

export function HomePage() {
  usePageTitle(HOME_TITLE);
  const heading = useHeadingFocus();
  const session = useSession();
  const member = session.status === 'member';
  const userId = member ? session.id : '';
  const location = useLocation();
  const navigate = useNavigate();
  const [keptResult] = useState(() => resultFromHistory(location.state, userId));
  const [newLink, setNewLink] = useState<ShortenResponse | null>(null);
  const result = newLink ?? keptResult;
  const [focusResult, setFocusResult] = useState(false);
  const [upgrading, setUpgrading] = useState(false);
  const [quotaChanges, setQuotaChanges] = useState(0);
  const { links } = useBrowserLinks();
  const listed =
    session.status === 'visitor' ? links.filter(({ code }) => code !== result?.code) : [];
  const showsOwn = listed.length > 0 && result === null;
  const input = useRef<HTMLInputElement>(null);
  const [given] = useState(() => givenLink(location.search));
  // A reload must not restore a link that the visitor has removed.
  useEffect(() => {
    if (given.longUrl !== '') void navigate('/', { replace: true });
  }, [given, navigate]);
  const wantsForm = isNewLink(location.state);
  // This must run after `useHeadingFocus`, which would move the focus to the heading.
  useEffect(() => {
    if (wantsForm) input.current?.focus();
  }, [wantsForm]);
  // A visitor who uses the form will need the result's code.
  useEffect(() => {
    void untilUsed()
      .then(loadResult)
      .catch(() => undefined);
  }, []);
  const onShortened = (link: ShortenResponse, isFocusFree: boolean): void => {
    addBrowserLink(link);
    setFocusResult(isFocusFree);
    setNewLink(link);
    void navigate(location, { replace: true, state: toHistoryState(link, userId) });
  };
  const resultCard = result !== null && (
    <Suspense fallback={null}>
      <HomeResult link={result} takeFocus={focusResult} isNew={newLink !== null} member={member} />
    </Suspense>
  );
  return (
    <>
      <section className={member ? undefined : 'sm:pt-8'}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={`font-semibold tracking-tight ${member ? 'text-24 sm:text-32' : 'text-32 lg:text-48'}`}
        >
          {member ? 'Shorten a link' : 'Short links that keep their word.'}
        </h1>
        {!member && (
          <p className="mt-3 max-w-[58ch] text-16 text-ink-2 sm:text-20">
            A free link shortener that counts clicks and follows nobody.
          </p>
        )}
        <div className={member ? 'mt-4 space-y-4' : 'mt-6 space-y-4'}>
          <ShortenForm
            member={member}
            given={given.longUrl}
            givenTitle={given.title}
            input={input}
            quotaChanges={quotaChanges}
            onUpgrade={() => setUpgrading(true)}
            onShortened={onShortened}
            note={<Questions />}
          >
            {member && resultCard !== false && <div className="mt-4">{resultCard}</div>}
          </ShortenForm>
          {/* The example keeps its space below a result, so that nothing below it moves. A visitor's
              own links replace it. */}
          {!member && (
            <div className={`group/place grid-cols-1 ${showsOwn ? 'hidden' : 'grid min-h-104'}`}>
              {session.status === 'visitor' && (
                <div className="col-start-1 row-start-1 grid grid-cols-1 group-has-data-result/place:invisible">
                  <PrerenderedPart id="example" className="grid grid-cols-1">
                    <Example />
                  </PrerenderedPart>
                </div>
              )}
              {resultCard}
            </div>
          )}
          {listed.length > 0 && (
            <Suspense fallback={<div style={{ height: panelHeight(listed.length) }} />}>
              <BrowserLinksPanel links={listed} />
            </Suspense>
          )}
          {member && (
            // The placeholder is as high as the content that loads.
            <Suspense fallback={<div className="h-88.5" />}>
              <HomeMember
                shownCode={result?.code}
                newLink={newLink}
                upgrading={upgrading}
                onUpgrade={() => setUpgrading(true)}
                onClose={() => setUpgrading(false)}
                onQuotaChange={() => setQuotaChanges((n) => n + 1)}
              />
            </Suspense>
          )}
        </div>
      </section>
      {!member && <Pitch />}
    </>
  );
}
