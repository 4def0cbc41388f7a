import { type Api, connectApi } from "../scripts/tour/api";
import { makePng } from "../test/media/png";

/** The ids of the seeded resources, by the route of their page. */
export type SeedData = Record<string, string[]>;

interface Account {
  url: string;
  /** An API key of the account. */
  key: string;
  /** The cookie of its console session. */
  cookie: string;
  /** A webhook receiver; its `/away` rejects deliveries. */
  receiver: string;
}

interface Resource {
  id: string | number;
  status: string;
}

/** Seeds an account with resources in every status, and waits for those that end. */
export async function seedAccount({ url, key, cookie, receiver }: Account): Promise<SeedData> {
  const api = connectApi(url, key);
  const post = async (path: string, body: unknown) => (await api.post<Resource>(path, body)).body;
  const events = ["generation.running", "generation.completed"];
  const webhooks = [receiver, `${receiver}/away`].map((address) => post("/hub/webhooks", { url: address, events }));
  for (const { id } of await Promise.all(webhooks)) await post(`/hub/webhooks/${id}/test`, {});
  const keyIds = [];
  for (const body of keys) keyIds.push(await createKey(url, cookie, body));
  const pictures = await Promise.all(["#d9772b", "#2b7bd9", "#3c9a5f"].map((colour) => upload(api, colour)));
  await createGenerations(api, pictures);
  const characters = await trainCharacters(api, pictures);
  // These stay unfinished during the tests.
  const waiting = { prompt: "a portrait after my own photograph", image_input: [UNKNOWN] };
  for (const input of [{ prompt: "[slow:3600] a mural of a whole town" }, waiting])
    await post("/hub/generations", { model: "sandbox-image", input });

  const inputs = ["a pier", "[fail] a boat", "a gull"].map((prompt) => ({ prompt }));
  const batch = await post("/hub/batches", { model: "sandbox-image", inputs });

  const { data } = await api.get<{ data: Resource[] }>("/hub/generations?limit=100");
  const models = await api.get<{ data: Resource[] }>("/hub/models");
  return {
    "/generations/[id]": [...new Map(data.map(({ id, status }) => [status, String(id)])).values()],
    "/generations/collections/[id]": [
      await createCollection(
        url,
        cookie,
        data.slice(0, 12).map(({ id }) => String(id)),
      ),
    ],
    "/batches/[id]": [String(batch.id)],
    "/webhooks/[id]": (await Promise.all(webhooks)).map(({ id }) => String(id)),
    "/characters/[id]": characters.map(String),
    "/characters/[id]/edit": characters.slice(-1).map(String),
    "/keys/[id]": keyIds,
    "/models/[id]": models.data.map(({ id }) => String(id)),
  };
}

const ended = new Set(["succeeded", "failed", "canceled", "ready"]);
const UNKNOWN = `sha256:${"0123456789abcdef".repeat(4)}`;
const inputs = [
  { prompt: "a lighthouse at dawn, seen from the water", aspect_ratio: "16:9" },
  { prompt: "a harbour full of small boats", aspect_ratio: "4:3", resolution: "2k" },
  { prompt: "an orchard in bloom", format: "webp" },
  { prompt: "a tall ship in a bottle", aspect_ratio: "9:16", format: "jpeg" },
  { prompt: "[flaky] a bridge in the fog" },
  { prompt: "[fail] a picture that the provider does not want to draw" },
  {
    prompt:
      "A long wish, as people write them: the old town at night after rain, wet cobblestones, lanterns reflected in " +
      "puddles, a cat on a windowsill, somebody with an umbrella far away, and nothing that would remind of a car",
  },
];
const questions = ["Name three harbours of the north.", "Write a caption for a picture of a lighthouse."];
const keys = [
  { name: "production", require_idempotency: true },
  { name: "laptop", spend_limit: 5, spend_limit_reset: "day", allowed_models: ["sandbox-image"] },
  {
    name: "the marketing department's, for its spring campaign",
    spend_limit: 0.01,
    expires_at: "2099-01-01T00:00:00Z",
  },
];

async function createGenerations(api: Api, pictures: string[]): Promise<void> {
  const image = async (input: object) =>
    (await api.post<Resource>("/hub/generations", { model: "sandbox-image", input })).body.id;
  const made = await Promise.all(inputs.map(image));
  made.push(await image({ prompt: "the same harbour in winter", image_input: pictures }));
  const canceled = await image({ prompt: "a picture that nobody waited for", image_input: [UNKNOWN] });
  await api.post(`/hub/generations/${canceled}/cancel`, {});
  for (const content of questions) {
    await api.post("/hub/chat/completions", { model: "sandbox-text", messages: [{ role: "user", content }] });
  }
  for (const id of made) await waitUntilEnded(api, `/hub/generations/${id}`);
}

async function trainCharacters(api: Api, images: string[]): Promise<Resource["id"][]> {
  const subjects = [
    { name: "Ada", trigger_word: "ada42", parameters: { steps: 5 } },
    { name: "Brook", trigger_word: "[fail]" },
  ];
  const ids = [];
  for (const subject of [...subjects, { name: "Cleo" }]) {
    const body = { base_model: "sandbox-trainer", images, ...subject };
    ids.push((await api.post<Resource>("/hub/characters", body)).body.id);
  }
  for (const id of ids.slice(0, subjects.length)) {
    await api.post(`/hub/characters/${id}/start`, {});
    await waitUntilEnded(api, `/hub/characters/${id}`);
  }
  return ids;
}

/** Waits for up to half a minute until a generation or a training has ended. */
export async function waitUntilEnded(api: Api, path: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (ended.has((await api.get<Resource>(path)).status)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} did not end within half a minute`);
}

async function upload(api: Api, background: string): Promise<string> {
  const content = new Uint8Array(await makePng(background, { width: 320, height: 240 }));
  return (await api.upload<{ url: string }>("/hub/files", content, "a.png")).url;
}

async function createCollection(url: string, cookie: string, ids: string[]): Promise<string> {
  const headers = { cookie, "content-type": "application/json" };
  const call = async (name: string, json: object) => {
    const reply = await fetch(`${url}/api/trpc/collections.${name}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ json }),
    });
    if (!reply.ok) throw new Error(`no collection: ${await reply.text()}`);
    return ((await reply.json()) as { result: { data: { json: { id: string } } } }).result.data.json;
  };
  const { id } = await call("create", { name: "My product shots" });
  await call("setItems", { collection: id, ids, isIn: true });
  return id;
}

async function createKey(url: string, cookie: string, body: object): Promise<string> {
  const headers = { cookie, "x-requested-with": "XMLHttpRequest", "content-type": "application/json" };
  const reply = await fetch(`${url}/api/v1/hub/keys`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`no key: ${await reply.text()}`);
  return ((await reply.json()) as { id: string }).id;
}
