import type { OnlineCheck } from "../catalogue/check-online";

const labels = { ok: "ok", failed: "FAILED", not_checked: "not checked" };

/** Returns a table of the providers' responses. */
export function formatChecks(checks: OnlineCheck[]): string[] {
  const width = Math.max(0, ...checks.map(({ provider }) => provider.length));
  return checks.map(({ provider, upstream_model, models, result, problem }) =>
    [labels[result].padEnd("not checked".length), provider.padEnd(width), upstream_model ?? models.join(", "), problem]
      .filter(Boolean)
      .join("  "),
  );
}
