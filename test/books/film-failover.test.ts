import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routings } from "../../server/catalogue/model";
import { runAudit } from "../../server/domain/audit/audit";
import { toEuros } from "../../server/lib/money";
import { type JobState, outputOf } from "../../server/providers/job";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { driveGeneration } from "../providers/generation-run";
import { createUpstream, refusedBecause } from "../routed-hub";
import { seed, soakCount } from "../soak";
import { costBy, unitPrice } from "./random-books";
import {
  anyChanges,
  anyCustomer,
  anyPrice,
  attemptsOf,
  MAX_PRICE,
  openSeller,
  readEnded,
  type Seller,
  sells,
  type Terms,
} from "./seller";

const FILMS = soakCount(10, 5_000);
const MINUTE_MS = 60_000;

const host = await openOwnHost({ RUNNING_PER_ACCOUNT: "1000" });
const { hub } = host;
const jobs = createUpstream();
hub.providers = { ...hub.providers, replicate: jobs.provider };
let seller: Seller;
beforeAll(async () => {
  seller = await openSeller(hub, "http://127.0.0.1:9/v1");
});
afterAll(async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

const call = (who: number, path: string, body: object) =>
  callApi(host, "POST", `/api/v1/hub/${path}`, { key: seller.customers[who]!.key, body });

/** Returns what this much film costs, in nano-euros. */
const filmCost = ({ settings, rate, ...bought }: Terms, milliseconds: number): bigint =>
  costBy(settings, { ...bought, units: BigInt(milliseconds * rate), per: 1_000n * 1_000n });

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
  if (kind === "refused") return refusedBecause(cause);
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
  quotedTo: anyCustomer,
  buyer: anyCustomer,
  isOwn: fc.constantFrom(true, true, true, false),
  usesQuote: fc.boolean(),
  duration: fc.integer({ min: 1, max: 60 }),
  minutes: fc.constantFrom(0, 1, 14, 16),
  routing: fc.constantFrom(...routings),
  offers: fc.tuple(anyPrice, anyPrice, anyPrice),
  changes: fc.tuple(anyChanges, anyChanges, anyChanges),
  routes,
});
type Film = typeof films extends fc.Arbitrary<infer T> ? T : never;

/** Returns the quote of a film, and the terms it is for; no quote if the customer's book does not sell films. */
async function askPrice(who: number, input: { duration: number }) {
  const terms = seller.termsOf(who);
  const { status, body } = await call(who, "models/film/pricing", { input });
  expect(status).toBe(sells(terms) ? 200 : 404);
  if (!sells(terms)) return { who, terms };
  expect(body.estimated_cost).toBe(toEuros(filmCost(terms, input.duration * 1_000)));
  return { who, terms, quote: (body.quote as { id: string }).id };
}

/** Starts a film, perhaps at a quote from before a change. Returns it with the terms it is held at; null if it was rejected. */
async function startFilm({ buyer, usesQuote, minutes, offers, ...film }: Film) {
  const offer = (at: 0 | 1) => seller.offer({ ...offers[at], routing: film.routing, routes: film.routes });
  const input = { duration: film.duration };
  await seller.change(film.changes[0]);
  offer(0);
  const asked = await askPrice(film.isOwn ? buyer : film.quotedTo, input);
  const quote = usesQuote ? asked.quote : undefined;

  await seller.change(film.changes[1]);
  offer(1);
  hub.clock.advance(minutes * MINUTE_MS);
  const now = seller.termsOf(buyer);
  const isValid = quote !== undefined && asked.who === buyer && minutes < 15;
  const held = isValid ? asked.terms : now;
  const { status, body } = await call(buyer, "generations", { model: "film", input, quote });
  const accepted = quote === undefined || isValid ? 202 : 409;
  expect(status).toBe(sells(now) ? accepted : 404);
  if (sells(now)) expect(body.estimated_cost).toBe(toEuros(filmCost(held, film.duration * 1_000)));
  return status === 202 ? { id: body.id as string, held } : null;
}

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
    await seller.change(film.changes[2]);
    seller.offer({ ...film.offers[2], routing: film.routing, routes: film.routes });
  };
  await driveGeneration(hub, id, { afterStep });
  const entries = jobs.submits.splice(before).map(({ route }) => route.entry);
  checkAttempts(await attemptsOf(hub, id), entries, film);

  const { status, estimated_cost, billed_cost, charged } = await readEnded(hub, id);
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
