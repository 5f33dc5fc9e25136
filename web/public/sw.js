/**
 * Runs where the site is installed as an app, and shows an offline page while there is no network.
 * It caches nothing, because pages can contain a member's data.
 */
const OFFLINE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>You are offline · Hop</title>
  <style>
    :root { color-scheme: light dark }
    body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; font: 16px/1.5 system-ui, sans-serif;
      background: light-dark(#fafaf8, #0e0f11); color: light-dark(#17181a, #ededee) }
    h1 { margin: 0 0 8px; font-size: 24px }
    p { margin: 0 0 16px }
    a { color: inherit }
    svg { margin-bottom: 16px }
  </style>
  <svg width="72" height="72" viewBox="0 0 24 24" aria-hidden="true"><path d="M4.5 16.5V14C4.5 8.5 8 5 12.75 5C17 5 20 7.9 20 11.6C20 15.4 17.2 18 13 18H9.5" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round"/><circle cx="4.5" cy="18" r="2.25" fill="currentColor"/></svg>
  <h1>You are offline</h1>
  <p>Your links keep working for everyone else. Try again once you have a connection.</p>
  <p><a href="">Try again</a></p>
</html>`;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return;
  const offline = () =>
    new Response(OFFLINE, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  event.respondWith(fetch(event.request).catch(offline));
});
