import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { listenOnLoopback } from "../loopback";
import { type DoubleCreditNote, type DoubleCustomer, openDoubleTax } from "./double-tax";
import { parseForm } from "./parse-form";
import { payPage } from "./pay-page";

type Params = Record<string, unknown>;
type Stored = Record<string, unknown> & { id: string };

/** Cards by what happens when they are charged without the customer. With the customer every card pays but the last. */
export const cards = {
  "4242": { brand: "visa", decline: null },
  "3155": { brand: "visa", decline: "authentication_required" },
  "0341": { brand: "visa", decline: "insufficient_funds" },
  "0069": { brand: "mastercard", decline: "expired_card" },
  "9995": { brand: "visa", decline: "insufficient_funds" },
} as const;
export type Card = keyof typeof cards;

/** What happens to a request on purpose: it never arrives, or its answer is lost. */
export type Fault = "unreached" | "unanswered" | null;

/** An event as Stripe stores it. */
export interface DoubleEvent {
  id: string;
  object: "event";
  type: string;
  created: number;
  data: { object: Stored; previous_attributes?: Params };
}

export interface StripeDouble {
  url: string;
  /** Decides what happens to each request, which waits for the decision. */
  faults: { next: (method: string, path: string) => Fault | Promise<Fault> };
  /** Every event that happened, oldest first. */
  events: DoubleEvent[];
  /** Calls that changed something, by method and path. */
  calls: string[];
  now: () => number;
  /** The customer pays a Checkout Session; `later`: the money is on its way. */
  pay: (session: string, options?: { card?: Card; later?: boolean; save?: boolean }) => void;
  /** The money of a payment that was on its way arrives, or does not. */
  settle: (session: string, arrives: boolean) => void;
  expire: (session: string) => void;
  /** The operator refunds in the dashboard. */
  refund: (intent: string, amount: number) => void;
  failRefund: (refund: string) => void;
  dispute: (intent: string, amount: number, isInquiry?: boolean) => string;
  closeDispute: (dispute: string, isWon: boolean) => void;
  sessions: Map<string, Session>;
  intents: Map<string, Intent>;
  invoices: Map<string, Invoice>;
  refunds: Map<string, Stored & { payment_intent: string; amount: number; status: string }>;
  disputes: Map<
    string,
    Stored & { payment_intent: string; amount: number; balance_transactions: { amount: number }[] }
  >;
  customers: Map<string, DoubleCustomer>;
  creditNotes: Map<string, DoubleCreditNote>;
  close: () => Promise<void>;
}

interface Session extends Stored {
  mode: string;
  status: string;
  payment_status: string;
  payment_intent: string | null;
  customer: string;
  currency: string;
  amount_subtotal: number;
  /** The discount of a coupon that the operator has created in the dashboard. */
  discount: number;
  tax: number;
  success_url: string;
  /** Whether the page asks for a VAT id. */
  asks: boolean;
  saves: boolean;
  /** Metadata of the PaymentIntent that it creates once it is paid. */
  metadata: Params;
  /** The id of the hub's payment. */
  hub: string;
}
interface Intent extends Stored {
  amount: number;
  net: number;
  status: string;
  customer: string;
  payment_method: string | null;
  metadata: Params;
  last_payment_error: Params | null;
  setup_future_usage: string | null;
}
interface Invoice extends Stored {
  status: string;
  customer: string;
  method: string;
  net: number;
  discount: number;
  tax: number;
  intent: string | null;
  metadata: Params;
}
interface Method extends Stored {
  customer: string | null;
  card: Card;
}

const TAX_PERCENT = 19;

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: Params,
  ) {
    super(String(body.message));
  }
}

/**
 * Opens a Stripe of our own on loopback that keeps state: Checkout, invoices, refunds, disputes, events and idempotency
 * keys, with a page on which a browser pays.
 */
export async function openStripeDouble(now: () => number = () => Date.now()): Promise<StripeDouble> {
  let count = 0;
  const newRef = (prefix: string) => `${prefix}_${(count += 1)}`;
  const sessions = new Map<string, Session>();
  const intents = new Map<string, Intent>();
  const invoices = new Map<string, Invoice>();
  const methods = new Map<string, Method>();
  const refunds: StripeDouble["refunds"] = new Map();
  const disputes: StripeDouble["disputes"] = new Map();
  const answers = new Map<string, { status: number; body: unknown }>();
  const events: DoubleEvent[] = [];
  const calls: string[] = [];
  const faults: StripeDouble["faults"] = { next: () => null };

  const emit = (type: string, object: Stored, previous_attributes?: Params) =>
    events.push({
      id: newRef("evt"),
      object: "event",
      type,
      created: Math.floor(now() / 1000),
      data: { object: structuredClone(object), ...(previous_attributes && { previous_attributes }) },
    });

  const find = <T>(all: Map<string, T>, id: string): T => {
    const found = all.get(id);
    if (!found)
      throw new Refusal(404, { type: "invalid_request_error", code: "resource_missing", message: `No ${id}` });
    return found;
  };
  const refuse = (message: string, code = "invalid_state") =>
    new Refusal(400, { type: "invalid_request_error", code, message });

  const showMethod = ({ id, customer, card }: Method) => ({
    id,
    object: "payment_method",
    type: "card",
    customer,
    card: { brand: cards[card].brand, last4: card },
  });
  const showIntent = (intent: Intent) => ({
    ...intent,
    object: "payment_intent",
    payment_method: intent.payment_method ? showMethod(find(methods, intent.payment_method)) : null,
  });
  const showSession = (session: Session) => ({
    ...session,
    object: "checkout.session",
    url: `${url}/pay/${session.id}`,
    amount_total: session.amount_subtotal - session.discount + session.tax,
    total_details: { amount_tax: session.tax },
    payment_intent: session.payment_intent ? showIntent(find(intents, session.payment_intent)) : null,
    invoice:
      session.payment_status === "paid" ? { id: `in_${session.id}`, hosted_invoice_url: `${url}/invoice` } : null,
  });
  const showInvoice = (invoice: Invoice) => ({
    ...invoice,
    object: "invoice",
    currency: "eur",
    subtotal: invoice.net,
    total: invoice.net - invoice.discount + invoice.tax,
    amount_paid: invoice.status === "paid" ? invoice.net - invoice.discount + invoice.tax : 0,
    total_taxes: invoice.tax > 0 ? [{ amount: invoice.tax }] : [],
    hosted_invoice_url: `${url}/invoice`,
    payments: {
      object: "list",
      data: invoice.intent
        ? [{ payment: { type: "payment_intent", payment_intent: showIntent(find(intents, invoice.intent)) } }]
        : [],
    },
  });
  // Events name what they are about by id.
  const emitSession = (type: string, session: Session) =>
    emit(type, { ...showSession(session), payment_intent: session.payment_intent });

  const newMethod = (customer: string | null, card: Card) => {
    const method: Method = { id: newRef("pm"), customer, card };
    methods.set(method.id, method);
    return method.id;
  };

  const receive = (intent: Intent) => {
    intent.status = "succeeded";
    emit("payment_intent.succeeded", { ...intent, object: "payment_intent" });
  };

  const addRefund = (intent: string, amount: number, metadata: Params = {}) => {
    const paid = find(intents, intent);
    const taken = [...refunds.values()]
      .filter((one) => one.payment_intent === intent && one.status !== "failed")
      .reduce((sum, one) => sum + one.amount, 0);
    if (paid.status !== "succeeded") throw refuse("The charge was not paid");
    if (amount > paid.amount - taken)
      throw refuse("Refund amount is greater than unrefunded amount", "amount_too_large");
    const refund = {
      id: newRef("re"),
      object: "refund",
      payment_intent: intent,
      amount,
      status: "succeeded",
      metadata,
    };
    refunds.set(refund.id, refund);
    emit("refund.created", refund);
    emit("charge.refunded", { id: `ch_${intent}`, object: "charge", payment_intent: intent });
    return refund;
  };

  const payInvoice = (id: string) => {
    const invoice = find(invoices, id);
    if (invoice.status === "paid") throw refuse("Invoice is already paid", "invoice_already_paid");
    if (invoice.status !== "open") throw refuse("Invoice is not open");
    const method = find(methods, invoice.method);
    const intent: Intent = {
      id: newRef("pi"),
      amount: invoice.net - invoice.discount + invoice.tax,
      net: invoice.net - invoice.discount,
      status: "processing",
      customer: invoice.customer,
      payment_method: method.id,
      metadata: {},
      last_payment_error: null,
      setup_future_usage: null,
    };
    intents.set(intent.id, intent);
    invoice.intent = intent.id;
    const { decline } = cards[method.card];
    if (decline !== null) {
      intent.status = "requires_payment_method";
      intent.last_payment_error = { type: "card_error", code: "card_declined", decline_code: decline };
      emit("payment_intent.payment_failed", { ...intent, object: "payment_intent" });
      emit("invoice.payment_failed", { ...showInvoice(invoice), payments: null });
      throw new Refusal(402, { type: "card_error", code: "card_declined", decline_code: decline, message: "Declined" });
    }
    receive(intent);
    invoice.status = "paid";
    emit("invoice.paid", { ...showInvoice(invoice), payments: null });
    return showInvoice(invoice);
  };

  const PAGE = 100;
  /** Returns a page of a list, as Stripe cuts it. */
  const list = <T extends { id: string }>(all: T[], { starting_after: after, limit = PAGE }: Params = {}) => {
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const end = start + Math.min(Number(limit), PAGE);
    return { object: "list", has_more: all.length > end, data: all.slice(start, end) };
  };

  const paymentOf = (invoice: string) => {
    const { payment_intent, intent } = sessions.get(invoice.slice(3)) ?? {
      payment_intent: null,
      ...find(invoices, invoice),
    };
    const { id, amount } = find(intents, String(payment_intent ?? intent));
    return { intent: id, total: amount };
  };
  const tax = openDoubleTax({ newRef, find, refuse, list, refunds, paymentOf });

  const routes: [string, RegExp, (params: Params, id: string) => unknown][] = [
    ...tax.routes,
    [
      "GET",
      /^\/v1\/customers\/(\w+)\/payment_methods$/,
      (_, id) =>
        list(
          [...methods.values()]
            .filter(({ customer }) => customer === id)
            .toReversed()
            .map(showMethod),
        ),
    ],
    [
      "POST",
      /^\/v1\/checkout\/sessions$/,
      (params) => {
        const [item] = Object.values((params.line_items ?? {}) as Record<string, { price_data: Params }>);
        const net = Number(item?.price_data.unit_amount ?? 0);
        const taxed = (params.automatic_tax as Params | undefined)?.enabled === "true";
        const intent = (params.payment_intent_data ?? {}) as Params;
        const { id: customer, deleted } = find(tax.customers, String(params.customer));
        if (deleted) throw refuse(`No such customer: '${customer}'`, "resource_missing");
        const session: Session = {
          id: newRef("cs"),
          created: Math.floor(now() / 1000),
          mode: String(params.mode),
          status: "open",
          payment_status: "unpaid",
          payment_intent: null,
          customer,
          amount_subtotal: net,
          discount: 0,
          currency: "eur",
          tax: taxed ? Math.round((net * TAX_PERCENT) / 100) : 0,
          success_url: String(params.success_url),
          asks: (params.tax_id_collection as Params | undefined)?.enabled === "true",
          saves: intent.setup_future_usage === "off_session",
          metadata: (intent.metadata ?? {}) as Params,
          hub: (intent.metadata as Record<string, string> | undefined)?.payment ?? "",
        };
        sessions.set(session.id, session);
        return showSession(session);
      },
    ],
    ["GET", /^\/v1\/checkout\/sessions\/(\w+)$/, (_, id) => showSession(find(sessions, id))],
    [
      "GET",
      /^\/v1\/checkout\/sessions$/,
      ({ payment_intent, ...page }) => {
        const found = [...sessions.values()].filter((one) => one.payment_intent === payment_intent);
        return list(found.map(showSession), page);
      },
    ],
    ["POST", /^\/v1\/billing_portal\/sessions$/, () => ({ id: newRef("bps"), url: `${url}/portal` })],
    [
      "POST",
      /^\/v1\/invoices$/,
      (params) => {
        const invoice: Invoice = {
          id: newRef("in"),
          created: Math.floor(now() / 1000),
          status: "draft",
          customer: String(params.customer),
          method: find(methods, String(params.default_payment_method)).id,
          net: 0,
          discount: 0,
          tax: 0,
          taxed: (params.automatic_tax as Params).enabled === "true",
          intent: null,
          metadata: params.metadata as Params,
        };
        invoices.set(invoice.id, invoice);
        return showInvoice(invoice);
      },
    ],
    [
      "POST",
      /^\/v1\/invoiceitems$/,
      (params) => {
        const invoice = find(invoices, String(params.invoice));
        if (invoice.status !== "draft") throw refuse("Invoice is not editable", "invoice_not_editable");
        invoice.net += Number(params.amount);
        invoice.tax = invoice.taxed ? Math.round((invoice.net * TAX_PERCENT) / 100) : 0;
        return { id: newRef("ii"), object: "invoiceitem" };
      },
    ],
    [
      "POST",
      /^\/v1\/invoices\/(\w+)\/finalize$/,
      (_, id) => {
        const invoice = find(invoices, id);
        if (invoice.status !== "draft") throw refuse("Invoice is finalized", "invoice_not_editable");
        invoice.status = "open";
        return showInvoice(invoice);
      },
    ],
    ["POST", /^\/v1\/invoices\/(\w+)\/pay$/, (_, id) => payInvoice(id)],
    [
      "POST",
      /^\/v1\/invoices\/(\w+)\/void$/,
      (_, id) => {
        const invoice = find(invoices, id);
        if (invoice.status !== "open") throw refuse("Only open invoices can be voided");
        invoice.status = "void";
        emit("invoice.voided", { ...showInvoice(invoice), payments: null });
        return showInvoice(invoice);
      },
    ],
    ["GET", /^\/v1\/invoices\/(\w+)$/, (_, id) => showInvoice(find(invoices, id))],
    ["GET", /^\/v1\/payment_intents\/(\w+)$/, (_, id) => showIntent(find(intents, id))],
    [
      "GET",
      /^\/v1\/refunds$/,
      ({ payment_intent, ...page }) =>
        list(
          [...refunds.values()].filter((one) => one.payment_intent === payment_intent),
          page,
        ),
    ],
    [
      "POST",
      /^\/v1\/refunds$/,
      ({ payment_intent, amount, metadata }) => addRefund(String(payment_intent), Number(amount), metadata as Params),
    ],
    [
      "GET",
      /^\/v1\/disputes$/,
      ({ payment_intent, ...page }) =>
        list(
          [...disputes.values()].filter((one) => one.payment_intent === payment_intent),
          page,
        ),
    ],
    ["GET", /^\/v1\/events$/, (params) => listEvents(params)],
  ];

  const listEvents = ({ created, types, ...page }: Params) => {
    const since = Number((created as Params | undefined)?.gte ?? 0);
    const kinds = new Set(Object.values((types ?? {}) as Record<string, string>));
    const found = events.filter((event) => event.created >= since && kinds.has(event.type)).toReversed();
    return list(found, page);
  };

  /** Answers a call of the API; a repeated idempotency key gets the first answer. */
  const answer = (method: string, path: string, params: Params, key: string | undefined) => {
    const known = key === undefined ? undefined : answers.get(key);
    if (known) return known;
    const result = perform(method, path, params);
    if (key !== undefined) answers.set(key, result);
    return result;
  };
  const perform = (method: string, path: string, params: Params): { status: number; body: unknown } => {
    for (const [verb, pattern, handle] of routes) {
      const match = verb === method && pattern.exec(path);
      if (!match) continue;
      if (method === "POST") calls.push(`${method} ${path}`);
      try {
        return { status: 200, body: handle(params, match[1] ?? "") };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, body: { error: error.body } };
      }
    }
    return { status: 404, body: { error: { type: "invalid_request_error", message: `No route ${method} ${path}` } } };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(request.url!, "http://double");
    const body = await readText(request);
    if (!pathname.startsWith("/v1/")) return payPage(double, { pathname, body, response });
    const fault = await faults.next(request.method!, pathname);
    if (fault === "unreached") return void request.socket.destroy();
    const params = parseForm(request.method === "GET" ? search.slice(1) : body);
    const key = request.headers["idempotency-key"] as string | undefined;
    const { status, body: result } = answer(request.method!, pathname, params, key);
    if (fault === "unanswered") return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(result));
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "api_error", message: String(error) } }));
    });
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;

  const double: StripeDouble = {
    url,
    faults,
    events,
    calls,
    now,
    sessions,
    intents,
    invoices,
    refunds,
    disputes,
    ...tax,
    pay(id, { card = "4242", later = false, save } = {}) {
      const session = find(sessions, id);
      if (session.status !== "open") throw refuse("The session is not open");
      session.status = "complete";
      const saves = session.mode === "setup" || (save ?? session.saves);
      const method = newMethod(saves ? session.customer : null, card);
      if (session.mode === "setup") return void emitSession("checkout.session.completed", session);
      const net = session.amount_subtotal - session.discount;
      if (net + session.tax === 0) {
        session.payment_status = "no_payment_required";
        return void emitSession("checkout.session.completed", session);
      }
      const intent: Intent = {
        id: newRef("pi"),
        amount: net + session.tax,
        net,
        status: "processing",
        customer: session.customer,
        payment_method: method,
        metadata: session.metadata,
        last_payment_error: null,
        setup_future_usage: saves ? "off_session" : null,
      };
      intents.set(intent.id, intent);
      session.payment_intent = intent.id;
      if (!later) {
        session.payment_status = "paid";
        receive(intent);
      }
      emitSession("checkout.session.completed", session);
    },
    settle(id, arrives) {
      const session = find(sessions, id);
      const intent = find(intents, session.payment_intent!);
      if (intent.status !== "processing") return;
      if (arrives) {
        session.payment_status = "paid";
        receive(intent);
        emitSession("checkout.session.async_payment_succeeded", session);
        return;
      }
      intent.status = "requires_payment_method";
      intent.last_payment_error = { type: "invalid_request_error", code: "payment_intent_payment_attempt_failed" };
      emitSession("checkout.session.async_payment_failed", session);
    },
    expire(id) {
      const session = find(sessions, id);
      if (session.status !== "open") return;
      session.status = "expired";
      emitSession("checkout.session.expired", session);
    },
    refund: (intent, amount) => void addRefund(intent, amount),
    failRefund(id) {
      const refund = find(refunds, id);
      refund.status = "failed";
      emit("refund.failed", refund);
    },
    dispute(intent, amount, isInquiry = false) {
      const dispute = {
        id: newRef("dp"),
        object: "dispute",
        payment_intent: intent,
        amount,
        status: isInquiry ? "warning_needs_response" : "needs_response",
        balance_transactions: isInquiry ? [] : [{ amount: -amount, fee: 1_500 }],
      };
      disputes.set(dispute.id, dispute);
      emit("charge.dispute.created", dispute);
      if (!isInquiry) emit("charge.dispute.funds_withdrawn", dispute);
      return dispute.id;
    },
    closeDispute(id, isWon) {
      const dispute = find(disputes, id);
      if (isWon && dispute.balance_transactions.length > 0) {
        dispute.balance_transactions.push({ amount: dispute.amount });
        emit("charge.dispute.funds_reinstated", dispute);
      }
      dispute.status = isWon ? "won" : "lost";
      emit("charge.dispute.closed", dispute);
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
  return double;
}
