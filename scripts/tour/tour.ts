import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import "../load-env.mjs";
import { readEnv } from "../../server/env";
import { type Api, connectApi } from "./api";
import { makeCustomer } from "./customer";
import { subscribeWebhook } from "./webhook";

interface Generation {
  id: string;
  status: string;
  billed_cost: number | null;
  error: { message: string } | null;
  outputs: { url: string; media_type: string; size: number }[];
}

interface UploadedFile {
  url: string;
  size: number;
  media_type: string;
  expires_at: string;
}

interface Chat {
  choices: { message: { content: string } }[];
  usage: { cost: number };
}

let count = 0;
const say = (text: string) => process.stdout.write(`${String((count += 1)).padStart(2)}. ${text}\n`);

/** Walks the main job of a running hub, a step a line; an address of the caller's own is told of the generation. */
async function walk(base: string, webhook: string | undefined): Promise<void> {
  const api = connectApi(base, await makeCustomer());
  const before = await api.get<{ balance: number }>("/me");
  say(`The tour has an account with ${before.balance} EUR and an API key of its own.`);
  const models = await api.get<{ data: { id: string }[] }>("/hub/models");
  say(`On offer: ${models.data.map(({ id }) => id).join(", ")}.`);
  const picture = await upload(api);
  const subscription = webhook === undefined ? null : await subscribeWebhook(api, webhook);
  if (subscription) say(`${webhook} will be told, signed with ${subscription.secret}.`);
  const done = await draw(api, picture);
  await download(api, done);
  if (subscription) say(`${webhook} was told of it, and ${await subscription.told()}.`);
  else say("To have an https address of yours told of it, signed: npm run tour -- --webhook https://…");
  const chat = await talk(api);
  const after = await api.get<{ balance: number }>("/me");
  say(`The balance went from ${before.balance} to ${after.balance} EUR, by exactly what was billed.`);
  const [spent, billed] = [before.balance - after.balance, done.billed_cost! + chat].map((eur) =>
    Math.round(eur * 1e9),
  );
  if (spent !== billed) throw new Error(`${spent} nano-euros left the balance`);
}

async function talk(api: Api): Promise<number> {
  const messages = [{ role: "user", content: "Where does a lighthouse stand?" }];
  const { body } = await api.post<Chat>("/hub/chat/completions", { model: "sandbox-text", messages });
  say(`A chat answered "${body.choices[0]!.message.content}" for ${body.usage.cost} EUR.`);
  return body.usage.cost;
}

async function upload(api: Api): Promise<string> {
  const picture = sharp({ create: { width: 320, height: 180, channels: 3, background: "#e8833a" } });
  const content = new Uint8Array(await picture.png().toBuffer());
  const file = await api.upload<UploadedFile>("/hub/files", content, "dawn.png");
  say(`Uploaded a picture of ${file.size} bytes: ${file.media_type}, kept until ${file.expires_at}.`);
  return file.url;
}

async function draw(api: Api, picture: string): Promise<Generation> {
  const input = { prompt: "a lighthouse at dawn", aspect_ratio: "16:9", image_input: [picture] };
  const price = await api.post<{ estimated_cost: number }>("/hub/models/sandbox-image/pricing", { input });
  say(`A picture of 16:9 costs ${price.body.estimated_cost} EUR at most.`);
  const request = { model: "sandbox-image", input };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const accepted = await api.post<Generation>("/hub/generations", request, headers);
  say(`${accepted.status}: generation ${accepted.body.id} is ${accepted.body.status}.`);
  const began = performance.now();
  const done = await finished(api, accepted.body.id);
  if (done.status !== "succeeded") throw new Error(`It ${done.status}: ${done.error?.message}`);
  say(`It succeeded after ${Math.round(performance.now() - began)} ms and was billed ${done.billed_cost} EUR.`);
  const again = await api.post<Generation>("/hub/generations", request, headers);
  say(`Sent again with the same Idempotency-Key it is ${again.status} and the same generation: nothing is paid twice.`);
  if (again.body.id !== done.id) throw new Error("The same key made another generation");
  return done;
}

async function finished(api: Api, id: string): Promise<Generation> {
  for (let tries = 0; tries < 300; tries += 1) {
    const generation = await api.get<Generation>(`/hub/generations/${id}`);
    if (["succeeded", "failed", "canceled"].includes(generation.status)) return generation;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Generation ${id} did not end within half a minute`);
}

async function download(api: Api, { outputs: [output] }: Generation): Promise<void> {
  // A fresh folder: a fixed name could be another user's file, or a link to one.
  const folder = await mkdtemp(path.join(os.tmpdir(), "generation-hub-tour-"));
  const file = path.join(folder, "lighthouse.png");
  await writeFile(file, await api.bytes(output!.url));
  say(`Its ${output!.media_type} of ${output!.size} bytes is at ${file}.`);
}

const base = readEnv().BASE_URL;
try {
  const { webhook } = parseArgs({ options: { webhook: { type: "string" } } }).values;
  await walk(base, webhook);
  process.stdout.write(`\nThat was the main job. The whole API is at ${base}/docs.\n`);
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${cause ? `No hub answers at ${base}: start one with \`npm start\`.` : message}\n`);
  process.exit(1);
}
