import { expect, test } from "vitest";
import type { OfferedModel } from "@/server/catalogue/model";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const image = hub.catalogue.get("sandbox-image")!;
const hidden: OfferedModel = { ...image, id: "hidden", membersOnly: true };
const away: OfferedModel = { ...image, id: "away", routes: [] };
hub.catalogue = new Map([...hub.catalogue, ...[hidden, away].map((model) => [model.id, model] as const)]);

test("lists models with their prices in EUR, without their parameters", async () => {
  const { console } = await newConsoleUser(hub);
  const models = await console.models.list();
  const ofOpenAi = ["sandbox-speech", "sandbox-transcription", "sandbox-video", "sandbox-embedding"];
  expect(models.map(({ id }) => id)).toEqual(["sandbox-image", "sandbox-text", "sandbox-trainer", ...ofOpenAi, "away"]);
  expect(models[0]).not.toHaveProperty("parameters_schema");
  expect(models.map(({ prices }) => prices)).toMatchObject([
    { by: "tier", tiers: [{ match: { resolution: "1k" }, euros: 0.0092 }, { euros: 0.0184 }, { euros: 0.0368 }] },
    { by: "token", input: 0.1, output: 0.4 },
    { by: "gpu-second", euros: 0.0005, most_seconds: 120 },
    { by: "tier" },
    { by: "tier" },
    { by: "tier" },
    { by: "token" },
    { by: "tier" },
  ]);
  expect(models.filter(({ available }) => !available).map(({ id }) => id)).toEqual(["away"]);
});

test("lists a model for members to members only", async () => {
  const [guest, member] = [await newConsoleUser(hub), await newConsoleUser(hub, { member: true })];
  expect((await member.console.models.list()).map(({ id }) => id)).toContain("hidden");
  expect(await member.console.models.get({ id: "hidden" })).toMatchObject({ id: "hidden", is_llm: false });
  for (const id of ["hidden", "none"]) {
    await expect(guest.console.models.get({ id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const price = guest.console.models.price({ id, input: { prompt: "a pier" } });
    await expect(price).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("returns the same price as the API, for an input of any length", async () => {
  const { console } = await newConsoleUser(hub);
  const input = { prompt: "x".repeat(4_000), resolution: "4k" };
  expect(await console.models.price({ id: "sandbox-image", input })).toMatchObject({
    estimated_cost: 0.0368,
    currency: "EUR",
  });
  const refused = console.models.price({ id: "sandbox-image", input: { ...input, resolution: "8k" } });
  await expect(refused).rejects.toMatchObject({
    cause: { extras: { errors: { "input.resolution": [expect.any(String)] } } },
  });
});
