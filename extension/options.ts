import '#web/styles/theme.css';
import './style.css';
import { originOf } from '#cli/server-origin.ts';
import { formatUtcDay, listAll, plural } from '#contract/language.ts';
import { SCOPE_TEXTS } from '#contract/api/scopes.ts';
import {
  lacksScope,
  readAccount,
  readConnection,
  removeConnection,
  storeConnection,
  type Connection,
} from './connection.ts';
import { describeFailure } from './describe-failure.ts';
import { byId, say, sayAt, whileBusy } from './elements.ts';

const address = byId('address', HTMLInputElement);
const key = byId('key', HTMLInputElement);
const keysPage = byId('keys-page', HTMLAnchorElement);
const status = byId('status', HTMLElement);
const failure = byId('failure', HTMLElement);

const pageOfKeys = (origin: string): string => `${origin}/settings/api`;

/** The link to the keys works once the address does. */
function linkToKeys(): void {
  const origin = address.value.trim() === '' ? null : originOf(address.value.trim());
  if (origin === null) keysPage.removeAttribute('href');
  else keysPage.href = pageOfKeys(origin);
}

function showConnection(connection: Connection | null): void {
  byId('connected', HTMLElement).hidden = connection === null;
  byId('form-heading', HTMLElement).textContent =
    connection === null ? 'Connect your account' : 'Use another key';
  if (connection === null) return;
  const { host } = new URL(connection.origin);
  byId('connected-text', HTMLElement).textContent =
    `This browser uses ${host} with the key “${connection.keyName}”.`;
  address.value = connection.origin;
  linkToKeys();
}

async function save(): Promise<void> {
  const origin = originOf(address.value.trim());
  const typed = key.value.trim();
  sayAt(
    address,
    origin === null
      ? 'Enter an address that starts with https://, such as https://hop.example.'
      : '',
  );
  sayAt(key, typed === '' ? 'Enter an API key.' : '');
  say(failure, '');
  if (origin === null) return address.focus();
  if (typed === '') return key.focus();
  try {
    const { key: known, quota } = await readAccount(origin, typed);
    const missing = lacksScope(known.scopes);
    sayAt(key, missing ?? '');
    if (missing !== null) return key.focus();
    const canTag = known.scopes.includes('links:write') && known.codePrefix === null;
    const connection = { origin, key: typed, keyName: known.name, canTag };
    await storeConnection(connection);
    key.value = '';
    showConnection(connection);
    say(
      status,
      `Saved. You have ${plural(quota.remaining, 'link')} left until ${formatUtcDay(quota.resetsAt)}.`,
    );
  } catch (error) {
    const { text, needsSettings } = await describeFailure(error, navigator.onLine, () =>
      Promise.reject(error),
    );
    if (!needsSettings) return say(failure, text);
    sayAt(key, 'This API key does not work. Check that it is complete, or create a new one.');
    key.focus();
  }
}

byId('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  say(status, '');
  void whileBusy(byId('save', HTMLButtonElement), save);
});
address.addEventListener('input', linkToKeys);
byId('remove', HTMLButtonElement).addEventListener('click', () => {
  void removeConnection().then(() => {
    showConnection(null);
    say(status, 'Removed from this browser. The key still works: revoke it under Settings, API.');
    address.focus();
  });
});

const names = [SCOPE_TEXTS['links:read'].name, SCOPE_TEXTS['links:write'].name];
byId('scopes', HTMLElement).textContent = listAll(names.map((name) => `“${name}”`));
showConnection(await readConnection());
