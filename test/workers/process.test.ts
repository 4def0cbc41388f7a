import { expect, test, vi } from "vitest";
import { startHub } from "../../e2e/server";

// Starts and stops a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test("a hub runs its own trainer, accepts jobs for offline workers, and responds to waiting claims as it stops", async () => {
  const hub = await startHub();
  const { stdout } = await hub.cli("worker-token", "create", "--name", "gpu", "--json");
  const { token } = JSON.parse(stdout) as { token: string };
  expect(token).toMatch(/^service_wk_/);
  const sendRequest = (path: string, key: string, body?: unknown) =>
    fetch(`${hub.url}/api/v1/${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body ? JSON.stringify(body) : undefined,
    });
  const image = await sendRequest("hub/generations", hub.key, { model: "sandbox-image", input: { prompt: "a face" } });
  const get = async (id: string) =>
    (await (await sendRequest(`hub/generations/${id}`, hub.key)).json()) as {
      status: string;
      outputs: { url: string }[];
    };
  const { id } = (await image.json()) as { id: string };
  await expect.poll(async () => (await get(id)).status, { timeout: 20_000 }).toBe("succeeded");
  const { url } = (await get(id)).outputs[0]!;

  const made = await sendRequest("hub/generations", hub.key, { model: "sandbox-trainer", input: { images: [url] } });
  const training = (await made.json()) as { id: string };
  await expect.poll(async () => (await get(training.id)).status, { timeout: 20_000 }).toBe("succeeded");
  expect((await get(training.id)).outputs).toHaveLength(2);

  const waiting = sendRequest("worker/claim", token, { models: ["nothing"], wait_seconds: 30 });
  await sendRequest("worker/claim", token, { models: ["nothing"] });
  const began = performance.now();
  const stopped = hub.stop();
  expect((await waiting).status).toBe(204);
  expect(await stopped).toBe(0);
  // The claim would wait for 30 seconds.
  expect(performance.now() - began).toBeLessThan(25_000);
});
