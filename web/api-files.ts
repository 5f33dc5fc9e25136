import type { Plugin } from 'vite';
import { MCP_TOOLS_FILE, OPENAPI_FILE, OPENAPI_ORIGIN } from '#contract/v1.ts';
import { mcpTools } from '#worker/api/v1/mcp-document.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';

/**
 * Writes the OpenAPI document and the MCP server's tools into the build, from where the Worker
 * serves them.
 */
export function apiFiles(): Plugin {
  return {
    name: 'hop:api-files',
    apply: 'build',
    generateBundle() {
      const files = {
        [OPENAPI_FILE]: openApiDocument(OPENAPI_ORIGIN),
        [MCP_TOOLS_FILE]: mcpTools(),
      };
      for (const [path, content] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source: JSON.stringify(content) });
    },
  };
}
