import { formatFamily, type Sample } from "./text-format";

/** The value of a label for everything outside its known set. */
export const OTHER = "_OTHER";

/** The most series of one metric. What comes beyond them is counted under `_OTHER`, so that memory is bounded. */
export const MAX_SERIES = 2_000;

type Labels<Name extends string> = Record<Name, string>;

export interface Counter<Name extends string> {
  add(labels: Labels<Name>, amount?: number): void;
}

interface Histogram<Name extends string> {
  observe(labels: Labels<Name>, value: number): void;
}

export interface Registry {
  /** Declares a counter; the series of `initial` begin at 0, so that their first increase is seen. */
  counter: <Name extends string>(
    name: string,
    help: string,
    labelNames: readonly Name[],
    initial?: Labels<NoInfer<Name>>[],
  ) => Counter<Name>;
  /** Declares a histogram with these upper bounds of its buckets. */
  histogram: <Name extends string>(
    name: string,
    help: string,
    labelNames: readonly Name[],
    bounds: readonly number[],
  ) => Histogram<Name>;
  /** Declares a metric whose values are read at each scrape. */
  observed: (kind: "gauge" | "counter", name: string, help: string, read: () => Iterable<Sample>) => void;
  /** Returns every metric in Prometheus' text format. */
  render: () => string;
}

/** Returns a registry of the metrics of one process. */
export function createRegistry(): Registry {
  const families: (() => string)[] = [];
  return {
    counter(name, help, labelNames, initial = []) {
      const series = createSeries(labelNames, () => ({ value: 0 }));
      for (const labels of initial) series.find(labels);
      const read = () => series.list().map(({ labels, state }) => ({ labels, value: state.value }));
      families.push(() => formatFamily({ name, help, kind: "counter", samples: read() }));
      return { add: (labels, amount = 1) => void (series.find(labels).value += amount) };
    },
    histogram(name, help, labelNames, bounds) {
      const series = createSeries(labelNames, () => new Distribution(bounds));
      const read = () => series.list().flatMap(({ labels, state }) => state.toSamples(labels));
      families.push(() => formatFamily({ name, help, kind: "histogram", samples: read() }));
      return { observe: (labels, value) => series.find(labels).add(value) };
    },
    observed(kind, name, help, read) {
      families.push(() => formatFamily({ name, help, kind, samples: read() }));
    },
    render: () => families.map((format) => format()).join(""),
  };
}

/**
 * Returns the series of one metric. They are found by nested maps, one level for each label, because literal strings
 * keep their hash, and a concatenated key would be hashed each time.
 */
function createSeries<Name extends string, S extends object>(labelNames: readonly Name[], create: () => S) {
  type Branch = Map<string, Branch | S>;
  const root: Branch = new Map();
  const series: { labels: Labels<Name>; state: S }[] = [];
  const overflow = Object.fromEntries(labelNames.map((name) => [name, OTHER])) as Labels<Name>;
  // A metric without labels has one series, under a value that no label has.
  const path = labelNames.length > 0 ? labelNames : [""];

  const add = (labels: Labels<Name>): S => {
    if (series.length >= MAX_SERIES && labels !== overflow) return find(overflow);
    const state = create();
    let branch = root;
    for (const name of path.slice(0, -1)) {
      const value = labels[name as Name];
      if (!branch.has(value)) branch.set(value, new Map());
      branch = branch.get(value) as Branch;
    }
    branch.set(labels[path.at(-1) as Name], state);
    const ordered = Object.fromEntries(labelNames.map((name) => [name, labels[name]])) as Labels<Name>;
    series.push({ labels: ordered, state });
    return state;
  };
  const find = (labels: Labels<Name>): S => {
    let node: Branch | S | undefined = root;
    for (const name of path) {
      node = (node as Branch).get(labels[name as Name]);
      if (node === undefined) return add(labels);
    }
    return node as S;
  };
  return { find, list: () => series };
}

class Distribution {
  private readonly counts: number[];
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  add(value: number): void {
    let index = 0;
    while (index < this.bounds.length && value > this.bounds[index]!) index += 1;
    this.counts[index]! += 1;
    this.sum += value;
  }

  toSamples(labels: Record<string, string>): Sample[] {
    let total = 0;
    const buckets = this.counts.map((count, index): Sample => {
      total += count;
      const le = index < this.bounds.length ? String(this.bounds[index]) : "+Inf";
      return { labels: { ...labels, le }, value: total, suffix: "_bucket" };
    });
    return [...buckets, { labels, value: this.sum, suffix: "_sum" }, { labels, value: total, suffix: "_count" }];
  }
}
