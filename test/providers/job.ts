import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { ProviderSettings, Route } from "../../server/catalogue/model";
import { describeContent } from "../../server/domain/content/inspect-content";
import { createJsonCodec } from "../../server/lib/json/codec";
import { createSafeFetch } from "../../server/lib/safe-fetch";
import { InputUnavailable } from "../../server/providers/input-unavailable";
import type { Job, ProviderOutput } from "../../server/providers/job";
import type { ProviderIo } from "../../server/providers/provider";

/** Returns the settings of a provider at an address of its own, with the key `test-key-0123456789`. */
export const buildProvider = (kind: ProviderSettings["kind"], baseUrl: string): ProviderSettings => ({
  id: kind,
  catalogueId: kind,
  kind,
  baseUrl,
  apiKey: "test-key-0123456789",
  keyVariable: null,
  keyWeight: 1,
  isRetired: false,
  missing: [],
  hasOwnBaseUrl: true,
  maxInFlight: null,
  perMinute: null,
  spendLimitPerDay: null,
});

/** Returns the content of an output. */
export async function readOutput({ read }: ProviderOutput): Promise<Buffer> {
  let content = Buffer.alloc(0);
  await read(async (chunks) => {
    content = await buffer(chunks);
  });
  return content;
}

/** Returns a job of a provider, with a new generation and attempt. */
export function buildJob(
  provider: ProviderSettings,
  upstreamModel: string,
  input: Record<string, unknown>,
  overrides: Partial<Job> & { route?: never } = {},
): Job {
  const route: Route = {
    id: `${provider.id}:${upstreamModel}`,
    entry: 0,
    provider,
    upstreamModel,
    when: [],
    rename: {},
    values: {},
    as: {},
    set: {},
    accepts: {},
    defaults: {},
    refuse: [],
    outputLimit: null,
    responses: false,
    singleSystem: false,
    inputs: null,
    priceUsd: null,
    tokenCosts: null,
    weight: 1,
    retryStarted: 0,
    onUnknown: "fail",
    onError: "fail",
    retiresAt: null,
    workflow: null,
  };
  const openedAt = new Date();
  return {
    id: randomUUID(),
    attemptId: randomUUID(),
    attempt: 1,
    openedAt,
    input,
    upstreamModel,
    route,
    modalities: { input: ["text"], output: ["image"] },
    deadlineAt: new Date(openedAt.getTime() + 600_000),
    callbackUrl: null,
    ...overrides,
  };
}

/** Returns what a provider may use, with the contents of file parameters by their URL. */
export function buildIo(files: Record<string, Buffer> = {}, signal = new AbortController().signal): ProviderIo {
  const read = async (url: string) => {
    const content = files[url];
    if (!content) throw new InputUnavailable(`The test has no file ${url}.`);
    return content;
  };
  return {
    fetch: createSafeFetch({ allowHosts: [] }),
    json: createJsonCodec(),
    read,
    readFile: async (url) => describeContent(await read(url)),
    reserveMemory: async () => undefined,
    now: () => new Date(),
    signal,
  };
}
