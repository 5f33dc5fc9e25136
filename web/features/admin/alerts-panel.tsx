import { plural } from '#contract/language.ts';
import type { ChannelResult, SystemReport } from '#contract/system/system.ts';
import { Button } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';
import { useSendTestAlert } from './queries.ts';

const CHANNELS = { mail: 'to administrators by mail', webhook: 'to the webhook' } as const;

/** Where alerts go, and a button that sends one. */
export function AlertsPanel({ channels }: { channels: SystemReport['alerts'] }) {
  const { mutate, isPending, data } = useSendTestAlert();
  return (
    <Panel
      title="Alerts"
      hint={`They go ${channels.map((channel) => CHANNELS[channel]).join(' and ')}.`}
      action={
        <Button pending={isPending} onClick={() => mutate()}>
          Send a test alert
        </Button>
      }
    >
      <output className="block text-13 text-ink-2">
        {data === undefined ? (
          <p>A test shows whether a message arrives.</p>
        ) : (
          data.channels.map((result) => <Result key={result.channel} result={result} />)
        )}
      </output>
    </Panel>
  );
}

function Result({ result: { channel, sent, failed, fault } }: { result: ChannelResult }) {
  const name = channel === 'mail' ? 'Mail' : 'Webhook';
  const taken = channel === 'mail' ? `accepted for ${plural(sent, 'administrator')}` : 'accepted';
  const refused = failed > 0 && channel === 'mail' ? `failed for ${failed}` : 'failed';
  return (
    <p className="[overflow-wrap:anywhere]">
      {name}: {sent > 0 && taken}
      {sent > 0 && failed > 0 && ', '}
      {fault !== '' && <span className="text-bad">{`${refused} (${fault})`}</span>}.
    </p>
  );
}
