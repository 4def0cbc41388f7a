import OpenAI from "openai";
import { beforeAll, describe, expect, test } from "vitest";
import type { OfferedModel } from "../../server/catalogue/model";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openHosts } from "./hosts";

const hosts = await openHosts();
const price = "/api/v1/hub/models/sandbox-image/pricing";

describe.each(hosts)("models on $name", (host) => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await newCustomer(host.hub);
  });

  test("lists the sandbox with every field of the specification", async () => {
    const { body } = await callApi(host, "GET", "/api/v1/hub/models", { key: customer.key });
    const image = (body.data as { id: string }[]).find(({ id }) => id === "sandbox-image");
    expect(image).toMatchObject({
      currency: "EUR",
      is_llm: false,
      output_modalities: ["image"],
      parameters_schema: { type: "object", required: ["prompt"] },
      input_cost_per_million: null,
      output_cost_per_million: null,
      context_length: null,
      supports_vision: false,
    });
  });

  test("OpenAI's clients can read the list of models and each model", async () => {
    const client = new OpenAI({ baseURL: `${host.url}/api/v1/hub`, apiKey: customer.key, maxRetries: 0 });
    const { data, object } = await client.models.list();
    expect(object).toBe("list");
    expect(data.length).toBeGreaterThan(2);
    for (const model of data) {
      expect(model).toMatchObject({ object: "model", owned_by: "Generation Hub" });
      // The sandbox has the same creation time on every hub.
      expect(model.created).toBe(Date.parse("2026-11-21") / 1000);
      expect(await client.models.retrieve(model.id)).toEqual(model);
    }
  });

  test.each([
    [{ prompt: "a tree" }, 0.0092],
    [{ prompt: "a tree", resolution: "2k" }, 0.0184],
    [{ prompt: "a tree", resolution: "4k", aspect_ratio: "16:9" }, 0.0368],
  ])("estimates %o at %d EUR", async (input, estimated_cost) => {
    const { status, body } = await callApi(host, "POST", price, { key: customer.key, body: { input } });
    const quote = { id: expect.any(String) as string, expires_at: expect.any(String) as string };
    expect([status, body]).toEqual([200, { estimated_cost, currency: "EUR", quote }]);
  });

  test("reports issues of the input by their location", async () => {
    const send = async (input: unknown) =>
      (await callApi(host, "POST", price, { key: customer.key, body: { input } })).body.errors;
    expect(await send({})).toHaveProperty(["input.prompt"]);
    expect(await send({ prompt: "x", resolution: "8k" })).toHaveProperty(["input.resolution"]);
    expect(await send({ prompt: "x", image_input: ["javascript:alert(1)"] })).toHaveProperty(["input.image_input.0"]);
    expect(await send({ prompt: "x", colour: "red" })).toHaveProperty(["input.colour"]);
  });

  test.each(["nobody", "SANDBOX-IMAGE", "a%2Fb", "%00", "constructor", "__proto__", "long".repeat(50)])(
    "responds to %s as a model with 404",
    async (id) => {
      const path = `/api/v1/hub/models/${id}`;
      const priced = await callApi(host, "POST", `${path}/pricing`, { key: customer.key, body: { input: {} } });
      const read = await callApi(host, "GET", path, { key: customer.key });
      for (const { body } of [priced, read]) expect(body).toMatchObject({ status: 404, code: "model_not_found" });
    },
  );
});

test("hides a model for members from others", async () => {
  const [host] = hosts;
  const { hub, ...rest } = host!;
  const hiddenModel: OfferedModel = { ...hub.catalogue.get("sandbox-image")!, id: "club:image-1.0", membersOnly: true };
  const before = hub.catalogue;
  hub.catalogue = new Map([...before, [hiddenModel.id, hiddenModel]]);
  const [member, other] = [await newCustomer(hub, { member: true }), await newCustomer(hub)];
  const seen = async (key: string) => {
    const listed = await callApi({ hub, ...rest }, "GET", "/api/v1/hub/models", { key });
    const priced = await callApi({ hub, ...rest }, "POST", `/api/v1/hub/models/${hiddenModel.id}/pricing`, {
      key,
      body: { input: { prompt: "x" } },
    });
    const read = await callApi({ hub, ...rest }, "GET", `/api/v1/hub/models/${hiddenModel.id}`, { key });
    return [(listed.body.data as { id: string }[]).some(({ id }) => id === hiddenModel.id), priced.status, read.status];
  };
  expect(await seen(member.key)).toEqual([true, 200, 200]);
  expect(await seen(other.key)).toEqual([false, 404, 404]);
  hub.catalogue = before;
});
