import type { Plugin } from 'vite';
import { BUILT_ORIGIN, LLMS_FILE, PYTHON_CLIENT } from '#contract/pages/paths.ts';
import { MCP_TOOLS_FILE, OPENAPI_FILE } from '#contract/v1/v1.ts';
import { mcpTools } from '#worker/api/v1/mcp-document.ts';
import { openApiDocument } from '#worker/api/v1/openapi.ts';
import { llmsText } from './llms-text.ts';
import { pythonClient } from './python-client.ts';

/**
 * Writes the OpenAPI document, the MCP server's tools, llms.txt and the client for Python into the
 * build, from where the Worker serves them.
 */
export function apiFiles(): Plugin {
  return {
    name: 'hop:api-files',
    apply: 'build',
    generateBundle() {
      const document = openApiDocument(BUILT_ORIGIN);
      const files = {
        [OPENAPI_FILE]: JSON.stringify(document),
        [MCP_TOOLS_FILE]: JSON.stringify(mcpTools()),
        [LLMS_FILE]: llmsText(BUILT_ORIGIN),
        [PYTHON_CLIENT]: pythonClient(document),
      };
      for (const [path, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
    },
  };
}
