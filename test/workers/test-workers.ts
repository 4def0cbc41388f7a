import { type Worker, createToken } from "../../server/domain/workers/worker";
import { newId } from "../../server/lib/id";
import type { TestHub } from "../hub";
import { catalogueOf } from "../catalogue";
import { testOperator } from "../operator";

/** Price in EUR a second of the models `gpu-a` and `gpu-b`. */
export const PRICE = 0.0008;
export const MAX_SECONDS = 1_800;
/** Returns the cost in EUR of this many seconds, as the API returns it. */
export const euros = (seconds: number): number => Math.round(seconds * PRICE * 1e9) / 1e9;
export const ESTIMATE = euros(MAX_SECONDS);

const model = (id: string) => `
  - id: ${id}
    output_modalities: [file]
    gpu: { price_per_second: ${PRICE}, max_seconds: ${MAX_SECONDS} }
    parameters_schema:
      type: object
      properties: { note: { type: string }, image: { type: string, format: uri }, images: { type: array, items: { type: string, format: uri } } }
    routes: [{ provider: worker, rename: { note: caption } }]`;

/** Adds the models `gpu-a` and `gpu-b` to the hub's catalogue. */
export function addGpuModels(hub: TestHub): void {
  hub.catalogue = new Map([...hub.catalogue, ...catalogueOf(`${model("gpu-a")}\n${model("gpu-b")}`)]);
}

export interface TestWorker extends Worker {
  token: string;
}

export async function newWorker(hub: TestHub): Promise<TestWorker> {
  const name = newId();
  const { token, record } = await createToken(hub, testOperator, name);
  return { tokenId: record.id, name, token };
}
