import { afterAll, expect, test } from "vitest";
import { receiveCallback, repeatReport } from "../../../server/domain/generations/run/receive-callback";
import { openProviderHub } from "../generation-run";
import { openReplicateDouble } from "./double";
import { OFFICIAL_MODEL } from "./models";

const double = await openReplicateDouble();
const providerHub = await openProviderHub(`
providers: [{ id: replicate, kind: replicate, base_url: "${double.base}", api_key: test-key-0123456789 }]
models:
  - id: flux-schnell
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: replicate, upstream_model: ${OFFICIAL_MODEL} }]`);
const { hub } = providerHub;
afterAll(double.close);

const countReports = () => hub.published.filter(({ name }) => name === "generation/reported").length;

test("a report that came before its run waited is repeated, unless the run has read it", async () => {
  const reports: number[] = [];
  let attemptId = "";
  const afterStep = async () => {
    if (attemptId) return;
    const { url, headers, body } = double.endLast();
    const { pathname, searchParams } = new URL(url);
    attemptId = pathname.split("/").at(-1)!;
    const target = { attemptId, token: searchParams.get("token")! };
    await receiveCallback(hub, target, { headers: new Headers(headers), body: Buffer.from(body) });
    reports.push(countReports());
    await repeatReport(hub, attemptId);
    reports.push(countReports());
  };
  expect(await providerHub.run("flux-schnell", { prompt: "a cat" }, { afterStep })).toMatchObject({
    status: "succeeded",
  });
  await repeatReport(hub, attemptId);
  expect([...reports, countReports()]).toEqual([1, 2, 2]);
});
