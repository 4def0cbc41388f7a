import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routings } from "../../server/catalogue/model";
import { parseCatalogue } from "../../server/catalogue/parse";
import { runAudit } from "../../server/domain/audit/audit";
import { toEuros } from "../../server/lib/money";
import { type JobState, outputOf } from "../../server/providers/job";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { catalogueWith } from "../catalogue";
import { breakMidway, errorBody, openUpstream, respondNormally, respondWith } from "../chat/upstream";
import { driveGeneration } from "../providers/generation-run";
import { createUpstream, refusedBecause } from "../routed-hub";
import { seed, soakCount } from "../soak";
import { bookSettings, costBy, unitPrice } from "./random-books";
import { openSeller, type Terms } from "./seller";

const FILMS = soakCount(60, 10_000);
const CHATS = soakCount(60, 10_000);
const MAX_PRICE = 10n ** 8n;
const BOOKS = 5;
const CUSTOMERS = 6;
const MINUTE_MS = 60_000;

const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "1000" });
const { hub } = host;
const jobs = createUpstream();
hub.providers = { ...hub.providers, replicate: jobs.provider };
const chats = await openUpstream();
const { models } = parseCatalogue(
  `providers:
  - { id: a, kind: replicate, api_key: key-of-twenty-letters, max_in_flight: 5, spend_limit_usd: 1000000 }
  - { id: b, kind: replicate, api_keys: ["\${B_ONE}", { key: "\${B_TWO}", weight: 3, per_minute: 100 }] }
  - { id: c, kind: replicate, api_key: key-of-twenty-letters }
  - { id: d, kind: openai, base_url: "${chats.url}", api_key: key-of-twenty-letters, max_in_flight: 5 }
  - { id: e, kind: openai, base_url: "${chats.url}", api_key: key-of-twenty-letters, spend_limit_usd: 1000000 }
  - { id: f, kind: openai, base_url: "${chats.url}", api_key: key-of-twenty-letters }
models:
  - id: film
    output_modalities: [video]
    pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: 0 }] }
    parameters_schema: { type: object, properties: { duration: { type: integer, minimum: 1, maximum: 60 } } }
    routes:
      - { provider: a, upstream_model: x/y, price_usd: 0 }
      - { provider: b, upstream_model: x/y, price_usd: 0 }
      - { provider: c, upstream_model: x/y, price_usd: 0 }
  - id: talk
    llm: { input_cost_per_million: 0, output_cost_per_million: 0, context_length: 4000, max_output_tokens: 100 }
    routes:
      - { provider: d, upstream_model: x, llm_cost: { input_cost_per_million: 0, output_cost_per_million: 0 } }
      - { provider: e, upstream_model: x, llm_cost: { input_cost_per_million: 0, output_cost_per_million: 0 } }
      - { provider: f, upstream_model: x, llm_cost: { input_cost_per_million: 0, output_cost_per_million: 0 } }
  - { id: train, gpu: { price_per_second: 0, max_seconds: 1800 } }
  - { id: other, pricing_tiers: [{ match: {}, price_usd: 0 }], routes: [{ provider: c, upstream_model: x/z, price_usd: 0 }] }`,
  { file: "test", variables: { B_ONE: "key-one-of-twenty", B_TWO: "key-two-of-twenty" } },
);
const catalogue = catalogueWith(models);
let seller: Awaited<ReturnType<typeof openSeller>>;
beforeAll(async () => {
  seller = await openSeller(hub, catalogue, CUSTOMERS);
});
afterAll(async () => {
  await chats.close();
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const customer = fc.nat(CUSTOMERS - 1);
const prices = fc.record({ price: unitPrice(MAX_PRICE), rate: fc.integer({ min: 1, max: 2_000 }) });
/** What an operator changes: the books of a revision, or the book of an account. */
const changes = fc.record({
  applied: fc.option(fc.array(bookSettings(MAX_PRICE), { minLength: BOOKS, maxLength: BOOKS }), { freq: 10 }),
  moved: fc.option(fc.record({ customer, book: fc.option(fc.nat(BOOKS - 1)) })),
});
type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

let hasBooks = false;
async function apply({ applied, moved }: Changes): Promise<void> {
  const current = hub.catalogue;
  // Books are compared with the costs of the catalogue, which are nothing here, and not with its prices.
  hub.catalogue = catalogue;
  if (applied) await seller.applyBooks(applied);
  hub.catalogue = current;
  hasBooks ||= applied !== null;
  if (moved && hasBooks) await seller.move(moved.customer, moved.book);
}

const call = (who: number, path: string, body: object) =>
  callApi(host, "POST", `/api/v1/hub/${path}`, { key: seller.customers[who]!.key, body });

/** Returns what this many units cost, of which `per` have the unit price; in dollars, they cost more or less by the rate. */
const costOf = ({ settings, ...rest }: Terms, units: bigint, per: bigint) => costBy(settings, { ...rest, units, per });
const filmCost = (terms: Terms, milliseconds: number) =>
  costOf(terms, BigInt(milliseconds * terms.rate), 1_000n * 1_000n);
const sells = ({ settings }: Terms) => settings?.sells !== false;

/** How a provider answers a job, and what it says about its work. */
const answers = fc.record({
  kind: fc.constantFrom("refused", "lost", "failed", "succeeded", "succeeded"),
  cause: fc.constantFrom("account", "job"),
  milliseconds: fc.option(fc.nat(120_000)),
  costUsd: fc.option(unitPrice(MAX_PRICE), { nil: undefined }),
  waits: fc.boolean(),
});
type Answer = typeof answers extends fc.Arbitrary<infer T> ? T : never;

const error = { code: "provider_error" as const, message: "reset", retryable: false };
function toState({ kind, cause, milliseconds, costUsd }: Answer): JobState {
  if (kind === "refused") return refusedBecause(cause as "account");
  if (kind === "lost") return { state: "failed", started: "unknown", cause: "outage", error };
  if (kind === "failed") return { state: "failed", started: "yes", cause: "job", error, costUsd };
  const usage = milliseconds === null ? {} : { seconds: milliseconds / 1_000 };
  return { state: "succeeded", outputs: [outputOf(Buffer.from("a film"), "text/plain")], usage, costUsd };
}

const routes = fc.array(
  fc.record({
    answer: answers,
    onUnknown: fc.constantFrom("fail" as const, "retry" as const),
    priceUsd: unitPrice(MAX_PRICE),
  }),
  { minLength: 3, maxLength: 3 },
);
const films = fc.record({
  quotedTo: customer,
  buyer: customer,
  isOwn: fc.constantFrom(true, true, true, false),
  usesQuote: fc.boolean(),
  duration: fc.integer({ min: 1, max: 60 }),
  minutes: fc.constantFrom(0, 1, 14, 16),
  routing: fc.constantFrom(...routings),
  offers: fc.tuple(prices, prices, prices),
  changes: fc.tuple(changes, changes, changes),
  routes,
});
type Film = typeof films extends fc.Arbitrary<infer T> ? T : never;

/** Starts a film, perhaps at a quote from before a change. Returns it with the terms it is held at; null if it was rejected. */
async function startFilm({ quotedTo, buyer, isOwn, usesQuote, duration, minutes, routing, offers, ...film }: Film) {
  const offer = (at: 0 | 1) => seller.offer({ ...offers[at], routing, routes: film.routes });
  const who = isOwn ? buyer : quotedTo;
  await apply(film.changes[0]);
  offer(0);
  const [request, asked] = [{ model: "film", input: { duration } }, seller.termsOf(who)];
  const priced = await call(who, "models/film/pricing", { input: request.input });
  expect(priced.status).toBe(sells(asked) ? 200 : 404);
  if (sells(asked)) expect(priced.body.estimated_cost).toBe(toEuros(filmCost(asked, duration * 1_000)));
  const quote = usesQuote ? (priced.body.quote as { id: string } | undefined) : undefined;

  await apply(film.changes[1]);
  offer(1);
  hub.clock.advance(minutes * MINUTE_MS);
  const now = seller.termsOf(buyer);
  const isValid = quote !== undefined && who === buyer && minutes < 15;
  const held = isValid ? asked : now;
  const { status, body } = await call(buyer, "generations", { ...request, quote: quote?.id });
  expect(status).toBe(!sells(now) ? 404 : quote && !isValid ? 409 : 202);
  if (sells(now)) expect(body.estimated_cost).toBe(toEuros(filmCost(held, duration * 1_000)));
  return status === 202 ? { id: body.id as string, held } : null;
}

interface Ended {
  status: string;
  estimated_cost: bigint;
  billed_cost: bigint | null;
  charged: bigint;
}
const readEnded = async (id: string) =>
  (
    await hub.db.query<Ended>(
      `SELECT status, estimated_cost, billed_cost, coalesce((
         SELECT -sum(amount) FROM ledger_entry e WHERE e.generation_id = g.id AND kind = 'charge'), 0)::bigint AS charged
       FROM generation g WHERE id = $1`,
      [id],
    )
  )[0]!;
const attemptsOf = (id: string) =>
  hub.db.query<{ route: string; outcome: string; reason: string }>(
    "SELECT route, outcome, reason FROM attempt WHERE generation_id = $1 ORDER BY n",
    [id],
  );

/** Fails unless the work was bought once, or a second time where the route of a lost answer says so. */
function checkAttempts(attempts: Awaited<ReturnType<typeof attemptsOf>>, entries: number[], film: Film): void {
  const used = entries.map((entry) => film.routes[entry]!);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(used.map(({ answer }) => answer.kind));
  expect(new Set(attempts.map(({ route }) => route)).size).toBe(attempts.length);
  const lost = used.findIndex(({ answer }) => answer.kind === "lost");
  expect(attempts.map(({ reason }) => reason === "bought_again")).toEqual(used.map((_, n) => lost >= 0 && n > lost));
  for (const [n, { answer, onUnknown }] of used.entries()) {
    const maySucceed = answer.kind === "refused" || (n === lost && onUnknown === "retry");
    // The next route was tried, unless there is none.
    if (maySucceed && n === used.length - 1) expect(new Set(entries).size).toBe(film.routes.length);
    if (!maySucceed) expect(n).toBe(used.length - 1);
  }
}

async function buyFilm(film: Film): Promise<void> {
  const started = await startFilm(film);
  if (!started) return;
  const { id, held } = started;
  const before = jobs.submits.length;
  jobs.respond = (job) => {
    const { answer } = film.routes[job.route.entry]!;
    const upstreamId = `job-${job.attemptId}`;
    const isLater = answer.waits && answer.kind !== "refused" && answer.kind !== "lost";
    return isLater ? { state: "pending", upstreamId, progress: null, pollAfterSeconds: 1 } : toState(answer);
  };
  jobs.respondToPoll = (job) => toState(film.routes[job.route.entry]!.answer);
  let hasChanged = false;
  const afterStep = async () => {
    if (hasChanged) return;
    hasChanged = true;
    await apply(film.changes[2]);
    seller.offer({ ...film.offers[2], routing: film.routing, routes: film.routes });
  };
  await driveGeneration(hub, id, { afterStep });
  const entries = jobs.submits.splice(before).map(({ route }) => route.entry);
  checkAttempts(await attemptsOf(id), entries, film);

  const { status, estimated_cost, billed_cost, charged } = await readEnded(id);
  const { answer } = film.routes[entries.at(-1)!]!;
  const hold = filmCost(held, film.duration * 1_000);
  const used = answer.milliseconds === null ? hold : filmCost(held, answer.milliseconds);
  const isDone = answer.kind === "succeeded";
  const charge = !isDone ? 0n : used < hold ? used : hold;
  expect({ status, estimated_cost, billed_cost, charged }).toEqual({
    status: isDone ? "succeeded" : "failed",
    estimated_cost: hold,
    billed_cost: charge,
    charged: charge,
  });
  seller.addCharge(film.buyer, charge);
}

test(`in ${FILMS} films with quotes, changes and failover nobody pays more than quoted, or another account's price`, async () => {
  await fc.assert(fc.asyncProperty(films, buyFilm), { seed, numRuns: FILMS, endOnFailure: true });
}, 3_600_000);

const failures = {
  refused: respondWith(401, errorBody("bad key")),
  broken: respondWith(500, errorBody("boom")),
  lost: breakMidway,
  done: respondNormally,
};
const talks = fc.record({
  buyer: customer,
  text: fc.string({ maxLength: 200 }),
  offer: prices,
  changes,
  routes: fc.array(
    fc.record({
      answer: fc.constantFrom("refused", "broken", "lost", "done", "done"),
      onUnknown: fc.constantFrom("fail" as const, "retry" as const),
      onError: fc.constantFrom("fail" as const, "next" as const),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});
type Talk = typeof talks extends fc.Arbitrary<infer T> ? T : never;

/** Returns the answers of the routes that a chat calls, in their order. */
function listCalls({ routes: called }: Talk) {
  const calls: Talk["routes"][number]["answer"][] = [];
  for (const { answer, onUnknown, onError } of called) {
    const isFirstLost = answer === "lost" && !calls.includes("lost");
    calls.push(answer);
    const goesOn =
      answer === "refused" || (answer === "broken" && onError === "next") || (isFirstLost && onUnknown === "retry");
    if (!goesOn) break;
  }
  return calls;
}

async function buyTalk(talk: Talk): Promise<void> {
  await apply(talk.changes);
  seller.offer({ ...talk.offer, routes: talk.routes });
  const terms = seller.termsOf(talk.buyer);
  const calls = listCalls(talk);
  if (sells(terms)) chats.respondNext(...calls.map((answer) => failures[answer]));
  const messages = [{ role: "user", content: `say: ${talk.text}` }];
  const { status, body } = await call(talk.buyer, "chat/completions", { model: "talk", messages });
  const isDone = calls.at(-1) === "done";
  expect(status).toBe(!sells(terms) ? 404 : isDone ? 200 : 503);
  if (!sells(terms)) return;
  const [{ id, price } = { id: "", price: { most_input_tokens: 0, most_output_tokens: 0 } }] = await hub.db.query<{
    id: string;
    price: Record<"most_input_tokens" | "most_output_tokens", number>;
  }>("SELECT id, price FROM generation WHERE account_id = $1 ORDER BY id DESC LIMIT 1", [
    seller.customers[talk.buyer]!.account,
  ]);
  const tokensCost = (input: number, output: number) => costOf(terms, BigInt(input + 2 * output), 1_000_000n);
  const usage = body.usage as { cost: number; prompt_tokens: number; completion_tokens: number } | undefined;
  const charge = usage ? tokensCost(usage.prompt_tokens, usage.completion_tokens) : 0n;
  expect(usage?.cost).toBe(isDone ? toEuros(charge) : undefined);
  const ended = await readEnded(id);
  expect(ended).toMatchObject({
    status: isDone ? "succeeded" : "failed",
    estimated_cost: tokensCost(price.most_input_tokens, price.most_output_tokens),
    charged: charge,
  });
  expect(charge <= ended.estimated_cost).toBe(true);
  const lost = calls.indexOf("lost");
  expect((await attemptsOf(id)).map(({ reason }) => reason === "bought_again")).toEqual(
    calls.map((_, n) => lost >= 0 && n > lost),
  );
  seller.addCharge(talk.buyer, charge);
}

test(`in ${CHATS} chats with changes and failover everybody pays the price of the own book, once`, async () => {
  await fc.assert(fc.asyncProperty(talks, buyTalk), { seed, numRuns: CHATS, endOnFailure: true });
}, 3_600_000);
