import { useState, type ReactNode } from 'react';
import type { AppLinkFile } from '#contract/pages/app-links.ts';
import { Button } from '#web/ui/button.tsx';
import { TextareaField, TextField } from '#web/ui/text-field.tsx';
import { useRequired } from '#web/ui/use-required.ts';
import { androidText, appleText } from './app-link-text.ts';

type StartProps = { ownPages: boolean; onText: (text: string) => void };

/** Writes the first text of a file from the names of an app. */
export function AppLinkStart({ file, ...props }: StartProps & { file: AppLinkFile }) {
  return file === 'apple' ? <AppleStart {...props} /> : <AndroidStart {...props} />;
}

const INSERTED = 'The text opens all short links in the app, and previews in the browser.';
const INSERTED_BESIDE_PAGES =
  'The text opens all short links in the app, and the pages of this site and previews in the browser.';

function AppleStart({ ownPages, onText }: StartProps) {
  const [appId, setAppId] = useState('');
  const required = useRequired({ appId: appId.trim() === '' && 'Enter the app ID.' });
  return (
    <Start
      ownPages={ownPages}
      onInsert={() => required.check() && onText(appleText({ appId, ownPages }))}
    >
      <TextField
        label="App ID"
        hint="Team ID and bundle ID, like ABCDE12345.com.example.app."
        error={required.at('appId')}
        value={appId}
        autoComplete="off"
        spellCheck={false}
        onText={setAppId}
      />
    </Start>
  );
}

function AndroidStart({ ownPages, onText }: StartProps) {
  const [packageName, setPackageName] = useState('');
  const [fingerprints, setFingerprints] = useState('');
  const required = useRequired({
    packageName: packageName.trim() === '' && 'Enter the package name.',
    fingerprints: fingerprints.trim() === '' && 'Enter at least one fingerprint.',
  });
  const insert = (): void => {
    if (required.check()) onText(androidText({ packageName, fingerprints, ownPages }));
  };
  return (
    <Start ownPages={ownPages} onInsert={insert}>
      <TextField
        label="Package name"
        hint="Like com.example.app."
        error={required.at('packageName')}
        value={packageName}
        autoComplete="off"
        spellCheck={false}
        onText={setPackageName}
      />
      <TextareaField
        label="SHA-256 fingerprints"
        hint="Of the signing certificates, one per line. The Play Console shows them under App signing."
        error={required.at('fingerprints')}
        rows={2}
        className="font-mono"
        value={fingerprints}
        spellCheck={false}
        onText={setFingerprints}
      />
    </Start>
  );
}

function Start({
  ownPages,
  onInsert,
  children,
}: {
  ownPages: boolean;
  onInsert: () => void;
  children: ReactNode;
}) {
  return (
    <fieldset className="min-w-0 space-y-4 rounded-md border border-line px-4 pb-4">
      <legend className="px-1 text-13 font-medium text-ink-2">Start from an app</legend>
      {children}
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={onInsert}>Insert text</Button>
        <p className="min-w-0 flex-1 basis-48 text-13 text-ink-3">
          {ownPages ? INSERTED_BESIDE_PAGES : INSERTED}
        </p>
      </div>
    </fieldset>
  );
}
