import { mkdtemp, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Api } from "./api";
import { printStep } from "./print-step";

export interface Generation {
  id: string;
  status: string;
  billed_cost: number | null;
  error: { message: string } | null;
  outputs: { url: string; media_type: string; size: number }[];
}

/** Returns a generation when it has succeeded. Throws an error with the reason when it has not, or not in time. */
export async function waitForSuccess(api: Api, id: string, timeoutSeconds: number): Promise<Generation> {
  for (const startedAt = performance.now(); performance.now() - startedAt < timeoutSeconds * 1000; await delay(100)) {
    const generation = await api.get<Generation>(`/hub/generations/${id}`);
    if (generation.status === "succeeded") return generation;
    if (["failed", "canceled"].includes(generation.status))
      throw new Error(`The generation ${generation.status}: ${generation.error?.message}`);
  }
  throw new Error(`Generation ${id} did not finish within ${timeoutSeconds} seconds`);
}

/** Downloads the first output to a file of the temporary folder. */
export async function downloadOutput(api: Api, { outputs: [output] }: Generation): Promise<void> {
  // A new folder, because a fixed name could be another user's file or a link to one.
  const folder = await mkdtemp(path.join(os.tmpdir(), "generation-hub-tour-"));
  const extension = output!.media_type.replace(/^image\//, "").replace("jpeg", "jpg");
  const file = path.join(folder, `lighthouse.${extension}`);
  await writeFile(file, await api.bytes(output!.url));
  printStep(`Downloaded the output (${output!.media_type}, ${output!.size} bytes) to ${file}`);
}

/** Throws an error unless a balance fell, in EUR, by exactly what was billed. */
export function checkBalance(before: number, after: number, billed: number): void {
  const [spentNano, billedNano] = [before - after, billed].map((eur) => Math.round(eur * 1e9));
  if (spentNano !== billedNano)
    throw new Error(`The balance fell by ${spentNano} nano-euros, but ${billedNano} were billed`);
  printStep(`The balance went from ${before} to ${after} EUR, exactly what was billed.`);
}
