import type { ReactNode } from 'react';
import { EXTENSION_ARCHIVES } from '#contract/pages/paths.ts';
import { SITE_NAME } from '#contract/site.ts';
import { Prose, Section, Strong } from './prose.tsx';
import { config } from '#web/shared/page/config.ts';
import { saveFile } from '#web/shared/page/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { TextLink, textLinkClass } from '#web/ui/external-link.tsx';

/** The placeholder for the member's API key in recipes. */
const KEY_STAND_IN = 'hop_live_YOUR_KEY';

/**
 * Returns a bookmark that opens Home of `origin` with the address of the current page. Nothing is
 * shortened before the visitor confirms.
 */
const bookmarkletOf = (origin: string): string =>
  `javascript:void open('${origin}/?url='+encodeURIComponent(location.href))`;

const curlToShorten = (origin: string): string =>
  `curl ${origin}/api/v1/links -H "Authorization: Bearer ${KEY_STAND_IN}" -H "Content-Type: application/json" -d '{"url":"https://example.com/a-long-address"}'`;

/**
 * Returns the file that ShareX imports as a URL shortener. Its format:
 * getsharex.com/docs/custom-uploader.
 */
const shareXOf = (origin: string): string =>
  JSON.stringify(
    {
      Version: '15.0.0',
      Name: new URL(origin).host,
      DestinationType: 'URLShortener',
      RequestMethod: 'POST',
      RequestURL: `${origin}/api/v1/links`,
      Headers: { Authorization: `Bearer ${KEY_STAND_IN}` },
      Body: 'JSON',
      Data: '{"url":"{input}"}',
      URL: '{json:shortUrl}',
      ErrorMessage: '{json:detail}',
    },
    null,
    2,
  );

export function ToolsPage() {
  const { appOrigin } = config;
  return (
    <Prose title="Tools" hint="Shorten the page you are on, from wherever you are.">
      <Section id="bookmarklet" title="Bookmarklet">
        <p>
          Drag this to your bookmarks bar. A click on it opens {SITE_NAME} with the address of the
          page you are on.
        </p>
        <p className="flex flex-wrap items-center gap-3">
          <Bookmarklet code={bookmarkletOf(appOrigin)} />
          <CopyButton text={bookmarkletOf(appOrigin)} label="Copy its code" />
        </p>
        <p>Without a bookmarks bar, add any bookmark and replace its address with the code.</p>
      </Section>
      <Section id="app" title="On your phone or desktop">
        <p>
          Install {SITE_NAME} from your browser’s menu (<Strong>Install app</Strong> or{' '}
          <Strong>Add to Home screen</Strong>). On Android it then appears where you share a page.
          Hold its icon for <Strong>New link</Strong>, <Strong>My URLs</Strong> and{' '}
          <Strong>Analytics</Strong>. It stores nothing for offline use except a page that says you
          are offline.
        </p>
      </Section>
      <Section id="extension" title="Browser extension">
        <p>
          It shortens the page you are on from a button, <Strong>Alt+Shift+S</Strong> or the menu of
          a page or link, copies the short URL, shows its QR code and lists your last links. It sees
          a page only when you press its button. It is in no store yet:
        </p>
        <ul className="list-disc space-y-1.5 ps-5 marker:text-ink-3">
          <li>
            Chrome, Edge and other browsers on Chromium:{' '}
            <a href={EXTENSION_ARCHIVES.chromium} download className={textLinkClass}>
              download hop-chromium.zip
            </a>{' '}
            and unpack it, open <code className="font-mono text-13">chrome://extensions</code>, turn
            on <Strong>Developer mode</Strong>, and choose the folder with{' '}
            <Strong>Load unpacked</Strong>.
          </li>
          <li>
            Firefox, until it closes:{' '}
            <a href={EXTENSION_ARCHIVES.firefox} download className={textLinkClass}>
              download hop-firefox.zip
            </a>
            , open <code className="font-mono text-13">about:debugging#/runtime/this-firefox</code>,
            and choose the file with <Strong>Load Temporary Add-on</Strong>.
          </li>
        </ul>
        <p>
          Enter <code className="font-mono text-13">{appOrigin}</code> and an{' '}
          <TextLink to="/settings/api">API key</TextLink> with the scopes{' '}
          <Strong>Read links</Strong> and <Strong>Write links</Strong> in its settings. With{' '}
          <Strong>Create links only</Strong> in place of the latter, it sets no tags.
        </p>
      </Section>
      <Section id="keys" title="Tools that need an API key">
        <p>
          The tools below act for your account.{' '}
          <TextLink to="/settings/api">Create an API key</TextLink> with the scope{' '}
          <Strong>Create links only</Strong>: anyone who finds it can create links, but cannot see
          or change any. Put it in place of{' '}
          <code className="font-mono text-13">{KEY_STAND_IN}</code>.
        </p>
      </Section>
      <Section id="curl" title="Command line">
        <Code text={curlToShorten(appOrigin)} copy="Copy command" />
      </Section>
      <Section id="shortcut" title="Shortcut for iPhone, iPad and Mac">
        <p>In the Shortcuts app, create a shortcut with these actions:</p>
        <ol className="list-decimal space-y-1.5 ps-5 marker:text-ink-3">
          <li>
            In its details, turn on <Strong>Show in Share Sheet</Strong> and accept{' '}
            <Strong>URLs</Strong>.
          </li>
          <li>
            <Strong>Get Contents of URL</Strong>:{' '}
            <code className="font-mono text-13">{`${appOrigin}/api/v1/links`}</code>, method{' '}
            <Strong>POST</Strong>, header <Strong>Authorization</Strong> with{' '}
            <code className="font-mono text-13">Bearer {KEY_STAND_IN}</code>, request body{' '}
            <Strong>JSON</Strong> with the text field <Strong>url</Strong> set to{' '}
            <Strong>Shortcut Input</Strong>.
          </li>
          <li>
            <Strong>Get Dictionary Value</Strong>: the value for <Strong>shortUrl</Strong>.
          </li>
          <li>
            <Strong>Copy to Clipboard</Strong>.
          </li>
        </ol>
      </Section>
      <Section id="sharex" title="ShareX for Windows">
        <p>
          Save the file, put your key into it, and open it with ShareX. Then choose it under{' '}
          <Strong>Destinations</Strong>, <Strong>URL shortener</Strong>.
        </p>
        <Code text={shareXOf(appOrigin)} copy="Copy file">
          <Button
            onClick={() =>
              saveFile(new Blob([shareXOf(appOrigin)], { type: 'application/json' }), 'hop.sxcu')
            }
          >
            Save hop.sxcu
          </Button>
        </Code>
      </Section>
      <Section id="more" title="Programs">
        <p>
          The{' '}
          <a href="/docs/api" className={textLinkClass}>
            API reference
          </a>{' '}
          has every route, with examples.
        </p>
      </Section>
    </Prose>
  );
}

/**
 * A link to drag. React does not render addresses that run code, so the address is set on the
 * element itself.
 */
function Bookmarklet({ code }: { code: string }) {
  return (
    <a
      href="#bookmarklet"
      ref={(element) => {
        element?.setAttribute('href', code);
        element?.addEventListener('click', (event) => event.preventDefault());
      }}
      className="inline-flex h-10 cursor-grab items-center rounded-md border border-line-strong bg-surface px-4 text-14 font-medium text-ink"
    >
      Shorten with {SITE_NAME}
    </a>
  );
}

function Code({ text, copy, children }: { text: string; copy: string; children?: ReactNode }) {
  return (
    <div className="mt-3">
      <pre className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-13 leading-5 whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
        {text}
      </pre>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyButton text={text} label={copy} />
        {children}
      </div>
    </div>
  );
}
