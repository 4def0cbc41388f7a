import { createConcurrencyLimit } from "../../lib/concurrency-limit";
import { isObject } from "../../lib/is-object";
import { OperatorError } from "../../lib/operator-error";
import { type Bill, type BillLine, dayOf } from "./bill";
import { listBilledProviders } from "./billed-providers";
import { type BillApi, fetchBillPage } from "./fetch-bill";
import { type Period, readKnownAttempts } from "./known-attempts";
import { readBillAmount } from "./read-values";

/** The APIs that report usage. */
export const billApis = ["openai", "openrouter"] as const;
export type BillApiName = (typeof billApis)[number];

const hosts = new Map<string, BillApiName>([
  ["api.openai.com", "openai"],
  ["openrouter.ai", "openrouter"],
]);

/**
 * Returns the bill from a provider's API: from OpenAI the costs of the organization by day, from OpenRouter the cost of each
 * chat that the hub knows, with the key that served it. Without a name the API is that of the provider's host. Throws
 * OperatorError for an unknown provider, and if there is no API.
 */
export function openOnlineBill(
  { hub, apiKey, provider: id }: Omit<BillApi, "provider"> & { provider: string },
  name: BillApiName | null,
  period: Period,
): Bill {
  const apis = listBilledProviders(hub, id).map((provider): BillApi => ({ hub, apiKey, provider }));
  const [api] = apis;
  if (!api) throw new OperatorError(`No route of the catalogue uses a provider ${id}.`);
  const chosen = name ?? hosts.get(new URL(api.provider.baseUrl ?? "http://none.invalid").hostname);
  if (!chosen)
    throw new OperatorError(
      `It is unknown which API reports what ${id} has billed. Compare a file, or name the API: ` +
        `--online ${billApis.join(" or --online ")}.`,
    );
  return chosen === "openai"
    ? { source: "openai (online)", matchedBy: "day", lines: readCosts(api, period) }
    : { source: "openrouter (online)", matchedBy: "handle", lines: readGenerations(apis, period) };
}

const MAX_DAYS = 180;
/** How many pages are read at most, however many the API names. */
const MAX_PAGES = 1_000;

async function* readCosts(api: BillApi, { from, to }: Period): AsyncGenerator<BillLine, void> {
  const seconds = (time: Date) => String(Math.floor(time.getTime() / 1000));
  const query = new URLSearchParams({
    start_time: seconds(from),
    end_time: seconds(to),
    bucket_width: "1d",
    limit: String(MAX_DAYS),
  });
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await fetchBillPage(api, `/organization/costs?${query.toString()}`);
    if (!Array.isArray(page?.data)) throw unreadable(api);
    for (const bucket of page.data as unknown[]) yield* readBucket(api, bucket);
    if (page.has_more !== true) return;
    if (typeof page.next_page !== "string") throw unreadable(api);
    query.set("page", page.next_page);
  }
  throw new OperatorError(`${api.provider.id} has returned more than ${MAX_PAGES} pages.`);
}

function* readBucket(api: BillApi, bucket: unknown): Generator<BillLine, void> {
  if (!isObject(bucket) || typeof bucket.start_time !== "number" || !Array.isArray(bucket.results))
    throw unreadable(api);
  const at = new Date(bucket.start_time * 1000);
  for (const result of bucket.results as unknown[]) {
    const amount = isObject(result) ? result.amount : null;
    if (!isObject(amount) || amount.currency !== "usd") throw unreadable(api);
    yield { subject: dayOf(at), at, amount: readAmount(api, amount.value), currency: "usd" };
  }
}

const MAX_CONCURRENT = 8;
const MAX_ASKED = 20_000;

async function* readGenerations(apis: BillApi[], period: Period): AsyncGenerator<BillLine, void> {
  for (const api of apis) yield* readOwnGenerations(api, period);
}

async function* readOwnGenerations(api: BillApi, period: Period): AsyncGenerator<BillLine, void> {
  const limit = createConcurrencyLimit(MAX_CONCURRENT);
  const { from, to } = period;
  let asked = 0;
  for await (const page of readKnownAttempts(api.hub, api.provider.id, period)) {
    const attempts = page.flatMap(({ upstream_id: id, ended_at: at }) =>
      id !== null && at !== null && at >= from && at < to ? { id, at } : [],
    );
    asked += attempts.length;
    if (asked > MAX_ASKED)
      throw new OperatorError(`The period has more than ${MAX_ASKED} chats, each of which is one request. Shorten it.`);
    const lines = await Promise.all(attempts.map(({ id, at }) => limit.run(() => readGeneration(api, id, at))));
    yield* lines.filter((line) => line !== null);
  }
}

async function readGeneration(api: BillApi, id: string, at: Date): Promise<BillLine | null> {
  const page = await fetchBillPage(api, `/generation?${new URLSearchParams({ id }).toString()}`);
  if (!page) return null;
  if (!isObject(page.data)) throw unreadable(api);
  return { subject: id, at, amount: readAmount(api, page.data.total_cost), currency: "usd" };
}

function readAmount(api: BillApi, value: unknown): bigint | null {
  try {
    if (typeof value === "number" || typeof value === "string") return readBillAmount(String(value));
  } catch {
    // It is not an amount.
  }
  throw unreadable(api);
}

const unreadable = ({ provider }: BillApi) =>
  new OperatorError(`The response of ${provider.id} does not have the shape that its API documents.`);
