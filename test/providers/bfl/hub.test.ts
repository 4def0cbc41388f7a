import { afterAll, beforeAll, expect, test } from "vitest";
import { runAudit } from "../../../server/domain/audit/audit";
import { usdToEur } from "../../../server/domain/pricing/route-cost";
import { parseDecimal } from "../../../server/lib/money";
import { insertFile } from "../../insert-file";
import { openDocumentedHub } from "../documented-hub";
import type { SubmitFault } from "../double";
import { PNG } from "../outputs";
import { type BflDouble, openBfl } from "./double";
import type { BflScript } from "./job";

let double: BflDouble;
let documented: Awaited<ReturnType<typeof openDocumentedHub>>;
beforeAll(async () => {
  double = await openBfl();
  documented = await openDocumentedHub("docs/providers/bfl.md", "BFL_API_KEY", double.url);
});
afterAll(() => double.close());

/** Returns an amount of USD in nano-euros. */
const toEur = (usd: string) => usdToEur(documented.hub, parseDecimal(usd));

// The double's jobs cost 4.5 credits, of 0.01 USD each.
test.each<[string, BflScript, code: string | null, outcome: string, cost: string]>([
  ["a picture is charged at its price", {}, null, "succeeded", "0.045"],
  ["a refused input costs nobody", { status: "Request Moderated" }, "content_refused", "failed", "0"],
  ["a withheld picture costs the hub", { status: "Content Moderated" }, "content_refused", "failed", "0.045"],
  ["a failed job costs the hub", { status: "Error" }, "provider_error", "failed", "0.045"],
  ["a web page is no picture", { output: "web page" }, "invalid_output", "failed", "0.045"],
  ["a private address is not called", { sample: "http://169.254.169.254/" }, "invalid_output", "failed", "0.045"],
  ["an expired picture is gone", { output: "expired" }, "invalid_output", "failed", "0.045"],
])("%s", async (_, script, code, outcome, cost) => {
  const accepted = double.accepted.length;
  double.scriptNextJobs(script);
  const ended = await documented.runGeneration({ prompt: "a tree" });
  expect(ended).toMatchObject({ code, billed_cost: code ? 0n : toEur("0.075") });
  expect(ended.attempts).toEqual([{ outcome, cost: toEur(cost) }]);
  expect(double.accepted).toHaveLength(accepted + 1);
});

test.each<SubmitFault>(["reset after", "502 after", "garbage"])("a submit with %s is not repeated", async (fault) => {
  const accepted = double.accepted.length;
  double.failNextSubmits(fault);
  const ended = await documented.runGeneration({ prompt: "a tree" });
  expect(ended).toMatchObject({ code: "provider_error", billed_cost: 0n, attempts: [{ outcome: "lost" }] });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test("a picture of the customer reaches the maker, and the result the customer", async () => {
  const { hub, account, runGeneration } = documented;
  const image = `${hub.env.BASE_URL}/api/v1/hub/files/${await insertFile(hub, account, PNG)}`;
  const { id } = await runGeneration({ prompt: "a tree", image });
  expect(double.accepted.at(-1)!.json).toMatchObject({ width: 1024, input_image: PNG.toString("base64") });
  const files = await hub.db.query("SELECT media_type, size FROM file WHERE generation_id = $1", [id]);
  expect(files).toEqual([{ media_type: "image/png", size: BigInt(PNG.length) }]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
