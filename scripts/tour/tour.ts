import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import "../load-env.mjs";
import { readEnv } from "../../server/env";
import { type Api, connectApi } from "./api";
import { createTourKey } from "./create-key";
import { createWebhook } from "./webhook";

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

let steps = 0;
const printStep = (text: string) => process.stdout.write(`${String((steps += 1)).padStart(2)}. ${text}\n`);

/** Uses each part of a running hub once, as a customer would, and prints a line for each step. */
async function runTour(base: string, webhookUrl: string | undefined): Promise<void> {
  const api = connectApi(base, await createTourKey());
  const before = await api.get<{ balance: number }>("/me");
  printStep(`The tour's account has ${before.balance} EUR and a new API key.`);
  const models = await api.get<{ data: { id: string }[] }>("/hub/models");
  printStep(`Available models: ${models.data.map(({ id }) => id).join(", ")}.`);
  const imageUrl = await uploadImage(api);
  const webhook = webhookUrl === undefined ? null : await createWebhook(api, webhookUrl);
  if (webhook) printStep(`Created a webhook to ${webhookUrl} with the signing secret ${webhook.secret}.`);
  const generation = await generateImage(api, imageUrl);
  await downloadOutput(api, generation);
  if (webhook) printStep(`The delivery to ${webhookUrl} ${await webhook.waitForDelivery()}.`);
  else printStep("To receive a signed webhook at your own address: npm run tour -- --webhook https://…");
  const chatCost = await completeChat(api);
  const after = await api.get<{ balance: number }>("/me");
  printStep(`The balance went from ${before.balance} to ${after.balance} EUR, exactly what was billed.`);
  const [spent, billed] = [before.balance - after.balance, generation.billed_cost! + chatCost].map((eur) =>
    Math.round(eur * 1e9),
  );
  if (spent !== billed) throw new Error(`The balance fell by ${spent} nano-euros, but ${billed} were billed`);
}

async function completeChat(api: Api): Promise<number> {
  const messages = [{ role: "user", content: "Where does a lighthouse stand?" }];
  const { body } = await api.post<Chat>("/hub/chat/completions", { model: "sandbox-text", messages });
  printStep(`A chat answered "${body.choices[0]!.message.content}" and cost ${body.usage.cost} EUR.`);
  return body.usage.cost;
}

async function uploadImage(api: Api): Promise<string> {
  const image = sharp({ create: { width: 320, height: 180, channels: 3, background: "#e8833a" } });
  const content = new Uint8Array(await image.png().toBuffer());
  const file = await api.upload<UploadedFile>("/hub/files", content, "dawn.png");
  printStep(`Uploaded an image (${file.media_type}, ${file.size} bytes), stored until ${file.expires_at}.`);
  return file.url;
}

async function generateImage(api: Api, imageUrl: string): Promise<Generation> {
  const input = { prompt: "a lighthouse at dawn", aspect_ratio: "16:9", image_input: [imageUrl] };
  const price = await api.post<{ estimated_cost: number }>("/hub/models/sandbox-image/pricing", { input });
  printStep(`A 16:9 image costs at most ${price.body.estimated_cost} EUR.`);
  const request = { model: "sandbox-image", input };
  const headers = { "idempotency-key": crypto.randomUUID() };
  const accepted = await api.post<Generation>("/hub/generations", request, headers);
  printStep(`${accepted.status}: generation ${accepted.body.id} is ${accepted.body.status}.`);
  const startedAt = performance.now();
  const final = await waitUntilFinal(api, accepted.body.id);
  if (final.status !== "succeeded") throw new Error(`The generation ${final.status}: ${final.error?.message}`);
  const elapsedMs = Math.round(performance.now() - startedAt);
  printStep(`The generation succeeded after ${elapsedMs} ms and was billed ${final.billed_cost} EUR.`);
  const replay = await api.post<Generation>("/hub/generations", request, headers);
  printStep(`A retry with the same Idempotency-Key returned ${replay.status} and the same generation, free of charge.`);
  if (replay.body.id !== final.id) throw new Error("A retry with the same Idempotency-Key created another generation");
  return final;
}

async function waitUntilFinal(api: Api, id: string): Promise<Generation> {
  for (let tries = 0; tries < 300; tries += 1) {
    const generation = await api.get<Generation>(`/hub/generations/${id}`);
    if (["succeeded", "failed", "canceled"].includes(generation.status)) return generation;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Generation ${id} did not finish within 30 seconds`);
}

async function downloadOutput(api: Api, { outputs: [output] }: Generation): Promise<void> {
  // A new folder, because a fixed name could be another user's file or a link to one.
  const folder = await mkdtemp(path.join(os.tmpdir(), "generation-hub-tour-"));
  const file = path.join(folder, "lighthouse.png");
  await writeFile(file, await api.bytes(output!.url));
  printStep(`Downloaded the output (${output!.media_type}, ${output!.size} bytes) to ${file}`);
}

const base = readEnv().BASE_URL;
try {
  const { webhook } = parseArgs({ options: { webhook: { type: "string" } } }).values;
  await runTour(base, webhook);
  process.stdout.write(`\nThe tour is complete. The API reference is at ${base}/docs.\n`);
} catch (error) {
  const { message, cause } = error as Error;
  process.stderr.write(`${cause ? `No hub is running at ${base}. Start one with \`npm start\`.` : message}\n`);
  process.exit(1);
}
