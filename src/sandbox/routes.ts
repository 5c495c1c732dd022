/** Finds the operation of a request. */
import { operations } from '../cloud/contract/index.ts';
import { type Input, inputsOf, valueOfText } from '../cloud/contract/inputs.ts';
import type { Operation } from '../cloud/contract/operation.ts';

export interface Route {
  readonly operation: Operation;
  /** The parts of its path; `{appId}` stands for any text. */
  readonly parts: readonly string[];
  readonly inputs: readonly Input[];
}

export interface Found {
  readonly route: Route;
  readonly params: Record<string, unknown>;
}

const isVariable = (part: string): boolean => part.startsWith('{');

/** Fixed parts before variable ones: `/apps/uploadUrl` is no app. */
const routes: readonly Route[] = operations
  .map((operation) => ({
    operation,
    parts: [operation.api, ...operation.path.slice(1).split('/')],
    inputs: inputsOf(operation),
  }))
  .toSorted((one, other) => one.parts.filter(isVariable).length - other.parts.filter(isVariable).length);

const fits = (parts: readonly string[], segments: readonly string[]): boolean =>
  parts.length === segments.length &&
  parts.every((part, index) => (isVariable(part) ? segments[index] !== '' : part === segments[index]));

/** `DELETE` also finds what the API's document writes as `DEL`. */
const isMethod = ({ method }: Operation, asked: string): boolean =>
  method === asked || (method === 'DEL' && asked === 'DELETE');

/**
 * @param pathname as it was sent, with the root of the version: `/v1/apps/12`
 * @returns the methods that the path has, if it has not this one
 */
export function findRoute(method: string, pathname: string): Found | { readonly methods: readonly string[] } {
  const segments = segmentsOf(pathname);
  const fitting = routes.filter(({ parts }) => fits(parts, segments));
  const route = fitting.find(({ operation }) => isMethod(operation, method));
  if (route === undefined) return { methods: fitting.map(({ operation }) => operation.method) };
  const params = route.parts.flatMap((part, index) => {
    const name = part.slice(1, -1);
    const input = isVariable(part) && route.inputs.find((each) => each.name === name);
    return input ? [[name, valueOfText(input.kind, segments[index] ?? '')]] : [];
  });
  return { route, params: Object.fromEntries(params) };
}

/** Empty for a path that is not well encoded. */
function segmentsOf(pathname: string): string[] {
  try {
    return pathname.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** The values of a query; a value that is given twice is a list, which only few inputs take. */
export function queryOf({ inputs }: Route, searchParams: URLSearchParams): Record<string, unknown> {
  const kinds = new Map(inputs.map(({ name, kind }) => [name, kind]));
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const texts = searchParams.getAll(name).map((text) => valueOfText(kinds.get(name) ?? 'text', text));
      return [name, texts.length === 1 ? texts[0] : texts];
    }),
  );
}
