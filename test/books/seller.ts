import type { Catalogue, Model, Route } from "../../server/catalogue/model";
import { assignBook } from "../../server/domain/books";
import { createRoutingServices } from "../../server/domain/routing";
import { NANO_PER_UNIT as NANO } from "../../server/lib/money";
import { type Customer, newCustomer } from "../api/customer";
import type { TestHub } from "../hub";
import { testOperator } from "../operator";
import { applyTestBooks } from "./apply-books";
import { type BookSettings, priceAt, type Purchase, writeBooks } from "./random-books";

/** What the catalogue says at some time: the unit price of its models in nano, the rate to the dollar in thousandths. */
export interface Offer extends Partial<Pick<Model, "routing">> {
  price: bigint;
  rate: number;
  /** What differs of the routes, by their entry. */
  routes: Partial<Route>[];
}

/** What an account's prices depend on at some time. */
export interface Terms extends Pick<Purchase, "price" | "volume">, Pick<Offer, "rate"> {
  settings: BookSettings | null;
}

/** A hub whose catalogue and books change, and what a test knows of them and of its customers. */
export interface Seller {
  customers: Customer[];
  offer(next: Offer): void;
  applyBooks(settings: BookSettings[]): Promise<void>;
  /** Puts a customer on the book of this number; null for none. */
  move(customer: number, book: number | null): Promise<void>;
  termsOf(customer: number): Terms;
  addCharge(customer: number, amount: bigint): void;
}

const idOf = (book: number) => `book-${book}`;

/** Opens customers of a hub with this catalogue. */
export async function openSeller(hub: TestHub, catalogue: Catalogue, customerCount: number): Promise<Seller> {
  const customers: Customer[] = [];
  for (let n = 0; n < customerCount; n += 1) customers.push(await newCustomer(hub, { credit: 10_000_000 }));
  let books: BookSettings[] = [];
  let offered: Offer = { price: 0n, rate: 1_000, routes: [] };
  hub.catalogue = catalogue;
  const bookOf = new Map<number, number>();
  const volumes = new Map<string, bigint>();
  const monthOf = (customer: number) => `${customer} ${hub.now().toISOString().slice(0, 7)}`;
  const volumeOf = (customer: number) => volumes.get(monthOf(customer)) ?? 0n;
  return {
    customers,
    offer(next) {
      offered = next;
      hub.catalogue = new Map([...catalogue].map(([id, model]) => [id, { ...model, ...change(model, next) }]));
      hub.env = { ...hub.env, EUR_PER_USD: String(next.rate / 1_000) };
      // Without the breakers that an earlier case has opened.
      hub.services.routeHealth = createRoutingServices(hub).routeHealth;
    },
    async applyBooks(settings) {
      books = settings;
      await applyTestBooks(hub, writeBooks(settings.map((one, book) => [idOf(book), one])));
    },
    async move(customer, book) {
      await assignBook(hub, testOperator, {
        id: customers[customer]!.account,
        book: book === null ? null : idOf(book),
      });
      if (book === null) bookOf.delete(customer);
      else bookOf.set(customer, book);
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

const change = (model: Model, { price, routing = model.routing, routes }: Offer): Partial<Model> => ({
  pricing: priceAt(model.pricing, price),
  routing,
  routes: model.routes.map((route) => ({ ...route, ...routes[route.entry] })),
});
