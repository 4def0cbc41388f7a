import { afterAll, beforeAll, expect, test } from "vitest";
import { usdToEur } from "../../../server/domain/pricing/route-cost";
import { parseDecimal } from "../../../server/lib/money";
import { markBuffer } from "../../media/mark";
import { openDocumentedHub } from "../documented-hub";
import { findViolations, type ProviderHub } from "../generation-run";
import { PNG } from "../outputs";
import { type BflDouble, openBflDouble } from "./double";
import type { BflScript } from "./job";

let double: BflDouble;
let documented: ProviderHub;
beforeAll(async () => {
  double = await openBflDouble();
  documented = await openDocumentedHub("docs/providers/bfl.md", double.url);
});
afterAll(() => double.close());

const run = (input: Record<string, unknown> = {}) => documented.run("flux-2-pro", { prompt: "a tree", ...input });

/** Returns an amount of USD in nano-euros. */
const toEur = (usd: string) => usdToEur(documented.hub, parseDecimal(usd));

// The double's jobs cost 4.5 credits, of 0.01 USD each.
test.each<[string, BflScript, code: string | undefined, outcome: string, cost: string]>([
  ["a picture is charged at its price", {}, undefined, "succeeded", "0.045"],
  ["a refused input costs nobody", { status: "Request Moderated" }, "content_refused", "failed", "0"],
  ["a withheld picture costs the hub", { status: "Content Moderated" }, "content_refused", "failed", "0.045"],
  ["a failed job costs the hub", { status: "Error" }, "provider_error", "failed", "0.045"],
  ["a web page is no picture", { output: "web page" }, "invalid_output", "failed", "0.045"],
  ["a private address is not called", { sample: "http://169.254.169.254/" }, "invalid_output", "failed", "0.045"],
])("%s", async (_, script, code, outcome, cost) => {
  const accepted = double.accepted.length;
  double.scriptNextJobs(script);
  const end = await run();
  expect(end.error?.code).toBe(code);
  expect(end).toMatchObject({ billed: code ? 0n : toEur("0.075"), attempts: [{ outcome, cost: toEur(cost) }] });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test("a picture of the customer reaches the maker, and the result the customer", async () => {
  const { outputs } = await run({ image: `${double.url}/delivery/input` });
  expect(double.accepted.at(-1)!.json).toMatchObject({ width: 1024, input_image: PNG.toString("base64") });
  const { content } = await markBuffer(PNG, "image/png", { model: "flux-2-pro" });
  expect(outputs).toEqual([{ media_type: "image/png", size: BigInt(content.length) }]);
});

test("the audit finds no violation", async () => {
  expect(await findViolations(documented)).toEqual([]);
});
