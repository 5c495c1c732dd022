/** The queries that hostnode ships: those of its rules and those of its dashboards. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

/** A rule that records the value of a query under a name. */
export interface Recording {
  record: string;
  expr: string;
  labels?: { state: string };
}

interface Target {
  refId: string;
  expr: string;
}

interface Override {
  matcher: { options: string };
  properties: { id: string; value: unknown }[];
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  fieldConfig?: { defaults: { unit?: string }; overrides: Override[] };
  targets?: Target[];
}

interface Variable {
  name: string;
  type: string;
  query: string | { query: string };
}

interface Dashboard {
  uid: string;
  panels: Panel[];
  templating: { list: Variable[] };
}

const config = new URL('../../config/', import.meta.url);

export const rulesFolder = new URL('prometheus/', config).pathname;

const read = (path: string): string => readFileSync(new URL(path, config), 'utf8');

/** scrape.yml. */
export const shippedScrape: { scrape_configs: Scrape[] } = parse(read('prometheus/scrape.yml'));

/** The alerts that alertmanager.yml names. */
export const inhibitedAndInhibiting: readonly string[] =
  read('prometheus/alertmanager.yml').match(/\bHostnode\w+/g) ?? [];

interface Scrape {
  job_name: string;
  static_configs: unknown;
  sample_limit: number;
  [key: string]: unknown;
}

interface Group {
  name: string;
  interval?: string;
  rules: (Alert | Recording)[];
}

/** Each with its unit tests beside it, `….test.yml`. */
export const ruleFiles = ['hostnode', 'hostnode-fleet'].map((name) => {
  const { groups } = parse(read(`prometheus/${name}.rules.yml`)) as { groups: Group[] };
  return { name, groups };
});

const groups = ruleFiles.flatMap((file) => file.groups);

const alertsIn = ({ rules }: Group): Alert[] => rules.filter((rule) => 'alert' in rule);

/** The alerts of a group, such as `hostnode-phones`. */
export const alertsOf = (group: string): Alert[] =>
  groups.filter(({ name }) => name === group).flatMap(alertsIn);

export const alerts: readonly Alert[] = groups.flatMap(alertsIn);

/** One for each name and set of fixed labels. */
export const recordings: readonly Recording[] = groups.flatMap(({ rules }) =>
  rules.filter((rule) => 'record' in rule),
);

/** The names of the alerts that a unit test expects to fire. */
export function testedAlerts(): Set<string> {
  const cases = ruleFiles.flatMap(({ name }) => {
    const { tests } = parse(read(`prometheus/${name}.test.yml`)) as {
      tests: { alert_rule_test?: { alertname: string; exp_alerts: unknown[] }[] }[];
    };
    return tests.flatMap(({ alert_rule_test = [] }) => alert_rule_test);
  });
  return new Set(cases.filter((each) => each.exp_alerts.length > 0).map(({ alertname }) => alertname));
}

/** Of one host or a few, and of many. */
export const dashboards: readonly Dashboard[] = ['hostnode', 'hostnode-fleet'].map((name) =>
  JSON.parse(read(`grafana/${name}.json`)),
);

export interface DashboardQuery {
  dashboard: string;
  panel: string;
  /** With a value in place of each of Grafana's variables. */
  expr: string;
}

const usualValues: Readonly<Record<string, string>> = {
  job: 'hostnode',
  instance: 'lab:9477',
  site: '.*',
  rack: '.*',
  ago: '1h',
  __rate_interval: '5m',
};

/**
 * The queries of all dashboards.
 *
 * @param values of Grafana's variables, in place of the usual ones
 * @throws {RangeError} on a variable that no dashboard has
 */
export const dashboardQueries = (values: Readonly<Record<string, string>> = {}): DashboardQuery[] =>
  dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        dashboard: uid,
        panel: title,
        expr: expr.replace(/\$(\w+)/g, (_, name) => {
          const value = values[name] ?? usualValues[name];
          if (value === undefined && name !== '1') throw new RangeError(`${title}: no variable $${name}`);
          return value ?? '$1'; // a group of label_replace
        }),
      })),
    ),
  );

/** Metrics and recorded series of ours that a query names. */
export const namesIn = (expr: string): string[] =>
  expr.match(/\b[a-z_]\w*:hostnode_[\w:]+|(?<![\w:])(?:hostnode|process)_[a-z0-9_]+\b/g) ?? [];
