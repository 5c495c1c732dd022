import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { operations } from '../../src/cloud/contract/index.ts';
import { type OpenApiVersion, openApi } from '../../src/cloud/openapi.ts';

interface Item {
  additionalOperations?: Record<string, { operationId: string }>;
  [method: string]: unknown;
}

/** The operations of a document by their ids, with method and path. */
function listed(version: OpenApiVersion): Record<string, string> {
  const { paths } = openApi(version) as { paths: Record<string, Item> };
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, { additionalOperations = {}, ...methods }]) =>
      Object.entries({ ...methods, ...additionalOperations }).map(([method, operation]) => [
        (operation as { operationId: string }).operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    ),
  );
}

describe('the OpenAPI document', () => {
  it('is the file docs/openapi.yaml (vitest -u writes it anew)', async () => {
    const text = stringify(openApi('3.2'), { lineWidth: 120, aliasDuplicateObjects: false });
    await expect(text).toMatchFileSnapshot('../../docs/openapi.yaml');
  });

  it('has no fault that a linter finds, in both versions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostnode-openapi-'));
    try {
      const files = (['3.2', '3.1'] as const).map((version) => {
        writeFileSync(join(folder, `${version}.json`), JSON.stringify(openApi(version)));
        return `${version}.json`;
      });
      const redocly = new URL('../../node_modules/.bin/redocly', import.meta.url).pathname;
      const lint = ['lint', ...files, '--format', 'json'];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const found = execFileSync(process.execPath, [redocly, ...lint], { cwd: folder, env, stdio: 'pipe' });
      const totals = Array.from(found.toString().matchAll(/"totals": (\{[^}]*\})/g), ([, json = '']) =>
        JSON.parse(json),
      );
      expect(totals).toEqual(files.map(() => expect.objectContaining({ errors: 0, warnings: 0 })));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has all operations; version 3.1 all but DEL', () => {
    const all = Object.fromEntries(
      operations.map(({ id, method, api, path }) => [id, `${method} /${api}${path}`]),
    );
    expect(listed('3.2')).toEqual(all);
    const { 'versions.unassignTag': del, ...others } = all;
    expect(del).toMatch(/^DEL /);
    expect(listed('3.1')).toEqual(others);
    expect(JSON.stringify(openApi('3.1'))).not.toContain('additionalOperations');
  });

  it('has no words of ours, no bounds of JavaScript, and no reference to nowhere', () => {
    const document = openApi('3.2') as { components: { schemas: object } };
    const text = JSON.stringify(document);
    expect(text).not.toMatch(
      /"(?:allowed|nullIsAbsent|demand|isFirstDocumented|secret)":|9007199254740991|\$defs/,
    );
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(new Set(references)).toEqual(new Set(Object.keys(document.components.schemas)));
    expect(text).toContain('"format":"password"');
  });

  it('says of a list in the query that commas join it, and of null only what the API says', () => {
    const { paths } = openApi('3.2') as { paths: Record<string, Record<string, { parameters: object[] }>> };
    const parameters = paths['/v1/devices']?.get?.parameters;
    expect(parameters).toContainEqual(
      expect.objectContaining({ name: 'platformVersion', in: 'query', style: 'form', explode: false }),
    );
    const nullable = JSON.stringify(openApi('3.2')).match(/"type":"null"/g);
    expect(nullable).toHaveLength(1); // appId of apps.create
    expect(JSON.stringify(openApi('3.2'))).not.toMatch(/"type":\[[^\]]*"null"/);
  });
});
