import { beforeEach, expect, test } from "vitest";
import { buildIo } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { COMMUNITY_MODEL, DEPLOYMENT, OFFICIAL_MODEL, VERSION } from "../../../test/providers/replicate/models";
import { checkRoute } from "./replicate";

let double: ReplicateDouble;
beforeEach(async () => {
  double = await openReplicateDouble();
  return double.close;
});

const check = (upstreamModel: string) =>
  checkRoute({ ...buildReplicateJob(double, { upstreamModel }).route, upstreamModel }, buildIo());

test.each([
  [OFFICIAL_MODEL],
  [`${OFFICIAL_MODEL}:${VERSION}`],
  [`${COMMUNITY_MODEL}:${VERSION}`],
  [VERSION],
  [DEPLOYMENT],
])("%s can be used, which is found out free of charge", async (model) => {
  expect(await check(model)).toBe(null);
  expect(double.requests.map(({ method }) => method)).not.toContain("POST");
});

test.each([
  [COMMUNITY_MODEL, /is not an official model/],
  [`${COMMUNITY_MODEL}:${"0".repeat(64)}`, /does not exist/],
  ["acme/nothing", /does not exist/],
  ["deployments/acme/nothing", /does not exist/],
  ["flux", /is not a model/],
  ["a/b/../../account", /is not a model/],
])("%s cannot be used", async (model, reason) => {
  expect(await check(model)).toMatch(reason);
});

test("every model of a route is checked", async () => {
  const { route } = buildReplicateJob(double);
  const when = [{ match: { image: "present" }, upstreamModel: "acme/nothing", priceUsd: null }];
  expect(await checkRoute({ ...route, when }, buildIo())).toMatch(/^acme\/nothing does not exist/);
});

test("a wrong key is reported, and an outage is not taken for one", async () => {
  const { route } = buildReplicateJob(double);
  const wrong = { ...route, provider: { ...route.provider, apiKey: "r8_wrong" } };
  expect(await checkRoute(wrong, buildIo())).toBe("Replicate does not accept the key.");
  await double.close();
  await expect(checkRoute(route, buildIo())).rejects.toMatchObject({ name: "ApiError" });
});
