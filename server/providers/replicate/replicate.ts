import { z } from "zod";
import type { Route } from "../../catalogue/model";
import { assertReadable } from "../http/describe-rejection";
import type { Provider, ProviderIo } from "../provider";
import { isDeployment, readApi } from "./api";
import { readCallback } from "./callback";
import { cancelPrediction, pollPrediction } from "./poll";
import { recoverPrediction } from "./recover";
import { submitPrediction } from "./submit";
import { uploadFile } from "./upload";

/** Replicate (docs/providers/replicate.md). */
export const replicate = {
  defaultBaseUrl: "https://api.replicate.com/v1",
  inputModes: ["link", "upload", "inline"],
  submit: submitPrediction,
  recover: recoverPrediction,
  poll: pollPrediction,
  cancel: cancelPrediction,
  callback: readCallback,
  upload: uploadFile,
  check: checkRoute,
} satisfies Provider;

/** Returns why the key or a model of a route cannot be used; null if they can. Throws ApiError. */
export async function checkRoute(route: Route, io: ProviderIo): Promise<string | null> {
  const account = await readApi(route.provider, io, "/account");
  if (account.status === 401 || account.status === 403) return "Replicate does not accept the key.";
  assertReadable(account);
  for (const model of [route.upstreamModel ?? "", ...route.when.flatMap(({ upstreamModel }) => upstreamModel ?? [])]) {
    const issue = await checkModel(model, route, io);
    if (issue) return issue;
  }
  return null;
}

async function checkModel(model: string, { provider }: Route, io: ProviderIo): Promise<string | null> {
  // A version without its model's name cannot be looked up.
  if (/^[0-9a-f]{64}$/.test(model)) return null;
  const [, name, version] = /^(\w[\w.-]*\/\w[\w.-]*)(?::(\w+))?$/.exec(model) ?? [];
  if (!name && !isDeployment(model))
    return `${model} is not a model: write owner/name, owner/name:version or deployments/owner/name.`;
  const path = name ? `/models/${name}${version ? `/versions/${version}` : ""}` : `/${model}`;
  const response = await readApi(provider, io, path);
  if (response.status === 404) return `${model} does not exist, or the key may not use it.`;
  assertReadable(response);
  const isCommunity = z.object({ is_official: z.literal(false) }).safeParse(response.body).success;
  return isCommunity && !version
    ? `${model} is not an official model: add its version, as in ${model}:<version>.`
    : null;
}
