import { LinkButton } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

export function ApiPanel() {
  return (
    <Panel
      title="API"
      hint="Shorten links and read clicks from your own programs, and be told when links change."
    >
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/settings/api">Manage API keys</LinkButton>
        <LinkButton to="/settings/webhooks">Manage webhooks</LinkButton>
        <LinkButton to="/tools">Tools</LinkButton>
      </div>
    </Panel>
  );
}
