import { clsx } from 'clsx';
import type { SsoReport } from '#contract/sign-in/sso.ts';
import { formatAge } from '#web/shared/texts/format.ts';
import { Panel } from '#web/ui/card.tsx';
import { CodeToCopy } from '#web/ui/code-to-copy.tsx';

/** The company's provider: its addresses, the last look at it, and why sign-ins failed. */
export function ProviderReport({ sso, now }: { sso: SsoReport; now: number }) {
  const { issuer, callback, look, failures } = sso;
  return (
    <Panel title="Company accounts" hint="Sign-in with OpenID Connect.">
      <dl className="flex flex-col gap-3 text-13">
        <div>
          <dt className="text-ink-3">Issuer</dt>
          <dd className="[overflow-wrap:anywhere]">{issuer}</dd>
        </div>
        <div>
          <dt className="mb-1 text-ink-3">Callback address to register at the provider</dt>
          <dd>
            <CodeToCopy text={callback} label="Copy callback" />
          </dd>
        </div>
        <div>
          <dt className="text-ink-3">Last look at the provider</dt>
          <dd
            className={clsx(
              '[overflow-wrap:anywhere]',
              look !== null && look.fault !== '' && 'text-bad',
            )}
          >
            {describeLook(look, now)}
          </dd>
        </div>
      </dl>
      <h3 className="mt-4 text-13 font-medium">Last failed sign-ins</h3>
      {failures.length === 0 ? (
        <p className="mt-1 text-13 text-ink-3">None.</p>
      ) : (
        <ul className="mt-1 divide-y divide-line text-13">
          {failures.map(({ at, sentence, detail }) => (
            <li key={`${at} ${sentence} ${detail}`} className="py-2">
              <p>{sentence}</p>
              <p className="text-ink-3 [overflow-wrap:anywhere]">
                {formatAge(at, now)}
                {detail !== '' && ` · ${detail}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function describeLook(look: SsoReport['look'], now: number): string {
  if (look === null) return 'Not yet. The first sign-in asks it.';
  const age = formatAge(look.at, now);
  return look.fault === '' ? `${age}: it answered as it should.` : `${age}: ${look.fault}`;
}
