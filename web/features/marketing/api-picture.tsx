import { config } from '#web/shared/page/config.ts';

const REQUEST = `{
  "url": "https://shop.example/tea",
  "code": "tea"
}`;

/** A request to the public API with its answer, as they are sent. */
export const ApiPicture = () => (
  <figure
    aria-label="Example of a request to the API"
    dir="ltr"
    className="rounded-lg border border-line bg-canvas font-mono text-12 leading-5"
  >
    <pre className="m-0 p-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
      <span className="text-accent">POST</span> /api/v1/links{'\n'}
      <span className="text-ink-3">Authorization: Bearer hop_live_…</span>
      {'\n\n'}
      {REQUEST}
    </pre>
    <pre className="m-0 border-t border-line p-4 whitespace-pre-wrap [overflow-wrap:anywhere]">
      <span className="text-good">201 Created</span>
      {'\n{\n  '}&quot;shortUrl&quot;: &quot;{config.shortOrigin}/tea&quot;,{'\n  '}
      &quot;clicks&quot;: 0{'\n}'}
    </pre>
  </figure>
);
