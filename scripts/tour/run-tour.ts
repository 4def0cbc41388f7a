import { parseArgs } from "node:util";
import sharp from "sharp";
import { readEnv } from "../../server/env";
import { OperatorError } from "../../server/lib/operator-error";
import { type Api, connectApi } from "./api";
import { createTourKey } from "./create-key";
import { findServedModels } from "./find-cheapest";
import { checkBalance, downloadOutput, type Generation, waitForSuccess } from "./generation";
import { printStep } from "./print-step";
import { runProviderTour } from "./provider-tour";
import { createWebhook } from "./webhook";

const TIMEOUT_SECONDS = 30;

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

/** Uses each part of a running hub once, as a customer would, and prints a line for each step. */
async function runCustomerTour(api: Api, webhookUrl: string | undefined): Promise<void> {
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
  checkBalance(before.balance, after.balance, generation.billed_cost! + chatCost);
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
  const final = await waitForSuccess(api, accepted.body.id, TIMEOUT_SECONDS);
  const elapsedMs = Math.round(performance.now() - startedAt);
  printStep(`The generation succeeded after ${elapsedMs} ms and was billed ${final.billed_cost} EUR.`);
  const replay = await api.post<Generation>("/hub/generations", request, headers);
  printStep(`A retry with the same Idempotency-Key returned ${replay.status} and the same generation, free of charge.`);
  if (replay.body.id !== final.id) throw new Error("A retry with the same Idempotency-Key created another generation");
  return final;
}

/** Runs the tour with the arguments of its command line. Throws OperatorError with a sentence on what went wrong. */
export async function runTour(args: string[]): Promise<void> {
  const base = readEnv().BASE_URL;
  try {
    const options = { webhook: { type: "string" }, provider: { type: "string" } } as const;
    const { webhook, provider } = parseArgs({ args, options }).values;
    // Checked before anything is created.
    await fetch(`${base}/api/v1/health`);
    const served = provider === undefined ? null : await findServedModels(provider);
    const api = connectApi(base, await createTourKey());
    await (served ? runProviderTour(api, served) : runCustomerTour(api, webhook));
    process.stdout.write(`\nThe tour is complete. The API reference is at ${base}/docs.\n`);
  } catch (error) {
    throw new OperatorError(describeError(base, error as Error), { cause: error });
  }
}

/** Returns a sentence on what went wrong; requests that reach no hub have a cause. */
function describeError(base: string, { message, cause }: Error): string {
  if (!cause) return message;
  const { code } = cause as NodeJS.ErrnoException;
  return code === "ENOTFOUND" || code === "EAI_AGAIN"
    ? `The host ${new URL(base).hostname} of BASE_URL does not resolve (${code}). Correct BASE_URL, or the name.`
    : `No hub is running at ${base}. Start one with \`npm start\`.`;
}
