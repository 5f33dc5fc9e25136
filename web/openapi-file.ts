import type { Plugin } from 'vite';
import { OPENAPI_FILE, OPENAPI_ORIGIN } from '#contract/v1.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

/** Writes the OpenAPI document of the public API into the build. The Worker serves it at /api/v1/openapi.json. */
export function openApiFile(): Plugin {
  return {
    name: 'hop:openapi-file',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: OPENAPI_FILE.slice(1), source: JSON.stringify(openApiDocument(OPENAPI_ORIGIN)) });
    },
  };
}
