/** One value of a metric at a scrape. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
  /** The suffix of a histogram's series. */
  suffix?: "_bucket" | "_sum" | "_count";
}

/** A metric with the values of all its series. */
interface MetricFamily {
  name: string;
  help: string;
  kind: "counter" | "gauge" | "histogram";
  samples: Iterable<Sample>;
}

/** The media type of the format, which every Prometheus since version 1 reads. */
export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Returns a metric in Prometheus' text format; an empty text when it has no series. */
export function formatFamily({ name, help, kind, samples }: MetricFamily): string {
  let lines = "";
  for (const { labels, value, suffix = "" } of samples)
    lines += `${name}${suffix}${formatLabels(labels)} ${formatValue(value)}\n`;
  if (lines === "") return "";
  return `# HELP ${name} ${help.replace(/[\\\n]/g, escapeCharacter)}\n# TYPE ${name} ${kind}\n${lines}`;
}

function formatLabels(labels: Record<string, string>): string {
  const entries = Object.entries(labels);
  if (entries.length === 0) return "";
  const escape = (value: string) => value.replace(/[\\\n"]/g, escapeCharacter);
  return `{${entries.map(([name, value]) => `${name}="${escape(value)}"`).join(",")}}`;
}

const escapeCharacter = (character: string): string => (character === "\n" ? "\\n" : `\\${character}`);

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
