import fc from "fast-check";
import type { Model, Route } from "../../server/catalogue/model";
import { parseCatalogue } from "../../server/catalogue/parse";
import { assignBook } from "../../server/domain/books";
import { applyRevision } from "../../server/domain/models";
import { createRoutingServices } from "../../server/domain/routing";
import { NANO_PER_UNIT as NANO } from "../../server/lib/money";
import { type Customer, newCustomer } from "../api/customer";
import { catalogueWith } from "../catalogue";
import type { TestHub } from "../hub";
import { testOperator } from "../operator";
import { applyTestBooks } from "./apply-books";
import { type BookSettings, bookSettings, priceAt, type Purchase, unitPrice, writeBooks } from "./random-books";

const BOOKS = 5;
const CUSTOMERS = 6;
export const MAX_PRICE = 10n ** 8n;

export const anyCustomer = fc.nat(CUSTOMERS - 1);
export const anyPrice = fc.record({ price: unitPrice(MAX_PRICE), rate: fc.integer({ min: 1, max: 2_000 }) });
/** What an operator changes: the books, by a revision, and the book of a customer. */
export const anyChanges = fc.record({
  applied: fc.option(fc.array(bookSettings(MAX_PRICE), { minLength: BOOKS, maxLength: BOOKS }), { freq: 10 }),
  moved: fc.option(fc.record({ customer: anyCustomer, book: fc.option(fc.nat(BOOKS - 1)) })),
});
type Changes = typeof anyChanges extends fc.Arbitrary<infer T> ? T : never;

/** What the catalogue says at some time: the unit price of its models in nano, the rate to the dollar in thousandths. */
interface Offer extends Partial<Pick<Model, "routing">> {
  price: bigint;
  rate: number;
  /** The changes to each route, by its entry. */
  routes: Partial<Route>[];
}

/** What an account's prices depend on at some time. */
export interface Terms extends Pick<Purchase, "price" | "volume">, Pick<Offer, "rate"> {
  settings: BookSettings | null;
}

/** Returns whether the account's book sells the models. */
export const sells = ({ settings }: Terms): boolean => settings?.sells !== false;

/** A hub whose catalogue and books change, and what a test knows of them and of its customers. */
export interface Seller {
  customers: Customer[];
  offer(next: Offer): void;
  change(changes: Changes): Promise<void>;
  termsOf(customer: number): Terms;
  addCharge(customer: number, amount: bigint): void;
}

const idOf = (book: number) => `book-${book}`;

/** Opens customers of a hub that sells films of providers of kind `replicate`, and chats of a server at `chatsUrl`. */
export async function openSeller(hub: TestHub, chatsUrl: string): Promise<Seller> {
  const source = describeModels(chatsUrl);
  // Books are checked against the costs of the catalogue that is applied, which are zero here.
  await applyRevision(hub, testOperator, { source, file: "catalogue" });
  const variables = { REPLICATE_ONE: "key-one-of-twenty", REPLICATE_TWO: "key-two-of-twenty" };
  const catalogue = catalogueWith(parseCatalogue(source, { file: "test", variables }).models);
  const customers: Customer[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) customers.push(await newCustomer(hub, { credit: 10_000_000 }));
  let books: BookSettings[] = [];
  let offered: Offer = { price: 0n, rate: 1_000, routes: [] };
  const bookOf = new Map<number, number>();
  const volumes = new Map<string, bigint>();
  const monthOf = (customer: number) => `${customer} ${hub.now().toISOString().slice(0, 7)}`;
  const volumeOf = (customer: number) => volumes.get(monthOf(customer)) ?? 0n;
  const applyBooks = async (settings: BookSettings[]) => {
    books = settings;
    await applyTestBooks(hub, writeBooks(settings.map((one, book) => [idOf(book), one])));
  };
  const move = async (customer: number, book: number | null) => {
    const { account: id } = customers[customer]!;
    await assignBook(hub, testOperator, { id, book: book === null ? null : idOf(book) });
    if (book === null) bookOf.delete(customer);
    else bookOf.set(customer, book);
  };
  return {
    customers,
    offer(next) {
      offered = next;
      hub.catalogue = new Map([...catalogue].map(([id, model]) => [id, { ...model, ...reprice(model, next) }]));
      hub.env = { ...hub.env, EUR_PER_USD: String(next.rate / 1_000) };
      // Without the breakers that an earlier case has opened.
      hub.services.routeHealth = createRoutingServices(hub).routeHealth;
    },
    async change({ applied, moved }) {
      if (applied) await applyBooks(applied);
      if (moved && books.length > 0) await move(moved.customer, moved.book);
    },
    termsOf(customer) {
      const book = bookOf.get(customer);
      return {
        settings: book === undefined ? null : books[book]!,
        volume: volumeOf(customer) / NANO,
        price: offered.price,
        rate: offered.rate,
      };
    },
    addCharge: (customer, amount) => void volumes.set(monthOf(customer), volumeOf(customer) + amount),
  };
}

const reprice = (model: Model, { price, routing = model.routing, routes }: Offer): Partial<Model> => ({
  pricing: priceAt(model.pricing, price),
  routing,
  routes: model.routes.map((route) => ({ ...route, ...routes[route.entry] })),
});

function describeModels(chatsUrl: string): string {
  const free = "llm_cost: { input_cost_per_million: 0, output_cost_per_million: 0 }";
  return `providers:
  - { id: a, kind: replicate, api_key: key-of-twenty-letters, max_in_flight: 5, spend_limit_usd: 1000000 }
  - { id: b, kind: replicate, api_keys: ["\${REPLICATE_ONE}", { key: "\${REPLICATE_TWO}", weight: 3, per_minute: 100 }] }
  - { id: c, kind: replicate, api_key: key-of-twenty-letters }
  - { id: d, kind: openai, base_url: "${chatsUrl}", api_key: key-of-twenty-letters, max_in_flight: 5 }
  - { id: e, kind: openai, base_url: "${chatsUrl}", api_key: key-of-twenty-letters, spend_limit_usd: 1000000 }
  - { id: f, kind: openai, base_url: "${chatsUrl}", api_key: key-of-twenty-letters }
models:
  - id: film
    output_modalities: [video]
    pricing: { per: second, times: duration, tiers: [{ match: {}, price_usd: 0.1 }] }
    parameters_schema: { type: object, required: [duration], properties: { duration: { type: integer, minimum: 1, maximum: 60 } } }
    routes:
      - { provider: a, upstream_model: x/y, price_usd: 0 }
      - { provider: b, upstream_model: x/y, price_usd: 0 }
      - { provider: c, upstream_model: x/y, price_usd: 0 }
  - id: talk
    llm: { input_cost_per_million: 0.1, output_cost_per_million: 0.2, context_length: 4000, max_output_tokens: 100 }
    routes:
      - { provider: d, upstream_model: x, ${free} }
      - { provider: e, upstream_model: x, ${free} }
      - { provider: f, upstream_model: x, ${free} }
  - { id: train, gpu: { price_per_second: 0.1, max_seconds: 1800 } }
  - { id: other, pricing_tiers: [{ match: {}, price_usd: 0 }], routes: [{ provider: c, upstream_model: x/z, price_usd: 0 }] }`;
}

/** How a generation ended, with the sum of its charges. */
interface Ended {
  status: string;
  estimated_cost: bigint;
  billed_cost: bigint | null;
  charged: bigint;
}
export const readEnded = async ({ db }: TestHub, id: string): Promise<Ended> =>
  (
    await db.query<Ended>(
      `SELECT status, estimated_cost, billed_cost, coalesce((
         SELECT -sum(amount) FROM ledger_entry e WHERE e.generation_id = g.id AND kind = 'charge'), 0)::bigint AS charged
       FROM generation g WHERE id = $1`,
      [id],
    )
  )[0]!;
export const attemptsOf = ({ db }: TestHub, id: string) =>
  db.query<{ route: string; outcome: string; reason: string }>(
    "SELECT route, outcome, reason FROM attempt WHERE generation_id = $1 ORDER BY n",
    [id],
  );
