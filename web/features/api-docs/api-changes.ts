/** What changed in the API, the newest release first. CHANGELOG.md has what else changed. */
export const API_CHANGES: readonly { release: string; changes: readonly string[] }[] = [
  {
    release: 'Next release',
    changes: [
      'Requests are strict: unknown members and parameters, and parameters that appear twice, are errors. They were ignored before.',
      'Each item of `POST /links/bulk` is created or rejected independently, and a repetition with the same Idempotency-Key tries failed items again.',
      'New: `POST /links/actions`, `GET /links/count`, `GET /links/by-external-id/{externalId}`, and all routes below `/tags`.',
      'New: `GET /analytics/clicks` counts clicks in any period, and `GET /links/{id}/history` lists the changes of a link.',
      'New: `POST /imports`, `POST /imports/check` and `GET /export`. `GET /links` takes `import`.',
      'The `id` of a new link does not tell how many links there are. Ids of earlier links stay as they are.',
      'Assistants connect to `/api/mcp` by OAuth 2.1, and have tools for tags, many links, QR codes and the quota.',
      '`PATCH` clears `title` and `note` with null.',
      'New: all routes below `/webhooks`, for keys with the new scope `webhooks:write`. Webhooks can have a `tag`.',
      'Webhooks get `link.updated` also for titles, notes, tags, archive and forwarded parameters, and `link.expired` when an end date passes. Events have the whole link, and `data.changed` names what differs.',
      '`POST /links` takes `enabled`, `archived` and `favorite`. `GET /links` takes `lastClickBefore`.',
      'Links have an `ETag`, for `If-Match` and `If-None-Match`. `PATCH` takes `application/merge-patch+json`.',
      'The server hands out clients: `/cli` for npm, and [hop.py](/cli/hop.py) for Python.',
      'Links in `GET /analytics` and `GET /analytics/clicks` have `shortUrl`.',
      'The OpenAPI document has a name for every schema, a description of every member, and examples of answers and errors. The ids of webhooks in it are `onLinkCreated` instead of `on.link.created`.',
    ],
  },
  {
    release: '1.0.0, November 23, 2026',
    changes: ['The first version.'],
  },
];
