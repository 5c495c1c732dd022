/** `hostnode cloud openapi`: prints the contract as an OpenAPI document. */
import { type OpenApiVersion, openApi } from '../../cloud/openapi.ts';
import { say } from '../terminal.ts';

export interface OpenApiOptions {
  spec: OpenApiVersion;
  json?: boolean;
}

export async function openapi({ spec, json = false }: OpenApiOptions): Promise<void> {
  const document = openApi(spec);
  if (json) return say(JSON.stringify(document, null, 2));
  const { stringify } = await import('yaml');
  say(stringify(document, { lineWidth: 120, aliasDuplicateObjects: false }).trimEnd());
}
