import { expect, test } from "vitest";
import { createRegistry, MAX_SERIES } from "./registry";
import { formatFamily } from "./text-format";

test("writes counters, histograms and what is read at the scrape", () => {
  const registry = createRegistry();
  const requests = registry.counter(
    "requests_total",
    "Requests.",
    ["operation", "code"],
    [{ operation: "a", code: "1" }],
  );
  requests.add({ code: "200", operation: "list" });
  requests.add({ operation: "list", code: "200" }, 2);
  const seconds = registry.histogram("seconds", "Time.", ["operation"], [0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe({ operation: "list" }, value);
  registry.observed("gauge", "waiting", "Waiting.", () => [{ labels: {}, value: 7 }]);
  expect(registry.render()).toBe(`# HELP requests_total Requests.
# TYPE requests_total counter
requests_total{operation="a",code="1"} 0
requests_total{operation="list",code="200"} 3
# HELP seconds Time.
# TYPE seconds histogram
seconds_bucket{operation="list",le="0.1"} 2
seconds_bucket{operation="list",le="1"} 3
seconds_bucket{operation="list",le="+Inf"} 4
seconds_sum{operation="list"} 3.65
seconds_count{operation="list"} 4
# HELP waiting Waiting.
# TYPE waiting gauge
waiting 7
`);
});

test("escapes what would end a label or a line", () => {
  const samples = [{ labels: { a: 'quote " and \\ and\nline' }, value: 1 }];
  expect(formatFamily({ name: "m", help: "back\\slash\nline", kind: "gauge", samples })).toBe(
    '# HELP m back\\\\slash\\nline\n# TYPE m gauge\nm{a="quote \\" and \\\\ and\\nline"} 1\n',
  );
});

test("counts what is beyond the most series in one of them, and keeps known ones", () => {
  const registry = createRegistry();
  const counter = registry.counter("c_total", "C.", ["a", "b"]);
  for (let n = 0; n < MAX_SERIES + 500; n += 1) counter.add({ a: String(n), b: "x" });
  counter.add({ a: "0", b: "x" });
  const lines = registry.render().split("\n");
  expect(lines).toContain('c_total{a="_OTHER",b="_OTHER"} 500');
  expect(lines).toContain('c_total{a="0",b="x"} 2');
  expect(lines.filter((line) => line.startsWith("c_total"))).toHaveLength(MAX_SERIES + 1);
});

test.each([
  [1 / 3, "0.3333333333333333"],
  [1e21, "1e+21"],
  [Infinity, "+Inf"],
  [-Infinity, "-Inf"],
  [NaN, "NaN"],
])("writes %d as Prometheus reads it", (value, text) => {
  expect(formatFamily({ name: "m", help: "", kind: "gauge", samples: [{ labels: {}, value }] })).toContain(
    `m ${text}\n`,
  );
});
