import { expect, test } from "vitest";
import { eraseRecords } from "../../server/domain/closures/erase-records";
import { testHub } from "../hub";
import { newConsoleUser } from "./console-user";

const hub = await testHub();
const [user, other] = [await newConsoleUser(hub), await newConsoleUser(hub)];
const model = "sandbox-image";
const namesOf = async ({ console: { presets } } = user) => (await presets.list({ model })).map(({ name }) => name);

test("a preset is the account's, saved again by its name, and deleted by its owner only", async () => {
  await user.console.presets.save({ model, name: " My product shots ", input: { prompt: "a mug" } });
  await user.console.presets.save({ model, name: "My product shots", input: { prompt: "a cup" } });
  const [preset] = await user.console.presets.list({ model });
  expect(preset).toMatchObject({ name: "My product shots", input: { prompt: "a cup" } });
  expect(await user.console.presets.list({ model: "sandbox-text" })).toEqual([]);
  expect(await namesOf(other)).toEqual([]);
  await expect(other.console.presets.delete({ id: preset!.id })).rejects.toThrow("no such preset");
  await user.console.presets.delete({ id: preset!.id });
  expect(await namesOf()).toEqual([]);
});

test.each([
  ["has no name", { name: " ", input: {} }, "is required"],
  ["has a long name", { name: "n".repeat(61), input: {} }, "at most 60"],
  ["is large", { name: "large", input: { prompt: "p".repeat(140_000) } }, "too large"],
  [
    "is large once its numbers are written out",
    { name: "long", input: { seed: Array(1_000).fill(1e300) } },
    "too large",
  ],
])("rejects a preset that %s", async (_, preset, message) => {
  await expect(user.console.presets.save({ model, ...preset })).rejects.toThrow(message);
});

test("an account has at most 200 presets, which go with it", async () => {
  await hub.db.query(
    `INSERT INTO input_preset SELECT gen_random_uuid(), $1, $2, 'preset ' || n, '{}', now() FROM generate_series(1, 200) n`,
    [user.account, model],
  );
  await expect(user.console.presets.save({ model, name: "one more", input: {} })).rejects.toThrow("200 presets");
  await user.console.presets.save({ model, name: "preset 7", input: { prompt: "changed" } });
  await eraseRecords(hub.db, user.account);
  expect(await namesOf()).toEqual([]);
});
