import { LinkButton } from '#web/ui/button.tsx';
import { Panel } from '#web/ui/card.tsx';

/** Leads to the page with the member's API keys. */
export function ApiPanel() {
  return (
    <Panel title="API" hint="Shorten links and read clicks from your own programs.">
      <div className="flex flex-wrap gap-2">
        <LinkButton to="/settings/api">Manage API keys</LinkButton>
        <LinkButton to="/tools">Tools</LinkButton>
      </div>
    </Panel>
  );
}
