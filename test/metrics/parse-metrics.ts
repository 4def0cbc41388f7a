import { readFileSync } from "node:fs";

export interface ParsedMetric {
  kind: string;
  samples: { labels: Record<string, string>; value: number }[];
}

/** Returns the metrics of Prometheus' text format by name. Throws on a line that does not belong to the metric above it. */
export function parseMetrics(text: string): Map<string, ParsedMetric> {
  const metrics = new Map<string, ParsedMetric>();
  let name = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, declared, kind] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? [];
    if (declared) {
      if (metrics.has(declared)) throw new Error(`${declared} is declared twice`);
      metrics.set((name = declared), { kind: kind!, samples: [] });
    }
    if (line.startsWith("#")) continue;
    const [, series, , labels = "", value] = /^([a-z_]+)(\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const suffix = series?.slice(name.length);
    if (!series?.startsWith(name) || !["", "_bucket", "_sum", "_count"].includes(suffix!)) throw new Error(line);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label!, text!]);
    metrics
      .get(name)!
      .samples.push({ labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
  }
  return metrics;
}

/** Returns the names of a metric's labels, without that of the buckets. */
export const labelsOf = ({ samples }: ParsedMetric): string[] =>
  [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].filter((label) => label !== "le");

/** Returns the metrics that docs/metrics.md lists: its tables have a name, a kind and labels. */
export function documentedMetrics(): Map<string, { kind: string; labels: string[] }> {
  const rows = readFileSync("docs/metrics.md", "utf8").matchAll(
    /^\| `([a-z_]+)` \| (counter|gauge|histogram) \| ([^|]*)\|/gm,
  );
  return new Map(
    [...rows].map(([, name, kind, labels]) => [
      name!,
      { kind: kind!, labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label!) },
    ]),
  );
}
