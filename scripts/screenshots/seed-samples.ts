import { writeFile } from "node:fs/promises";
import path from "node:path";
import { queryHub } from "../../e2e/query-hub";
import type { RunningHub } from "../../e2e/server";
import { drawPicture } from "../../server/providers/sandbox/draw";
import { Input } from "../../server/providers/sandbox/input";

const input = Input.parse({ prompt: "a lighthouse at dusk", aspect_ratio: "4:3" });
/** The picture is drawn without an input image. */
const io = { read: () => Promise.reject(new Error("There is no input image.")), signal: new AbortController().signal };
const models = ["sandbox-image", "sandbox-video"];

/** Adds a picture of the sandbox to the samples of two models, and shows both on the home page. */
export async function seedSamples({ dataDir, cli }: Pick<RunningHub, "dataDir" | "cli">): Promise<void> {
  const file = path.join(dataDir, "sample.png");
  await writeFile(file, await drawPicture(input, io));
  for (const model of models) await cli("sample", "add", model, file);
  await queryHub(dataDir, "UPDATE model_sample SET on_home = true");
}
