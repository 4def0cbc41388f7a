type Params = Record<string, unknown>;

/** A customer as Stripe stores it, with its tax ids. */
export interface DoubleCustomer {
  id: string;
  object: "customer";
  email: string;
  address: { country: string; line1?: string } | null;
  tax_exempt: string;
  metadata: Record<string, string>;
  tax_ids: { id: string; type: string; value: string }[];
  /** Whether it was deleted in the dashboard. */
  deleted?: boolean;
}

export interface DoubleCreditNote {
  id: string;
  object: "credit_note";
  invoice: string;
  amount: number;
  refunds: { refund: string }[];
}

interface Parts {
  newRef: (prefix: string) => string;
  find: <T>(all: Map<string, T>, id: string) => T;
  refuse: (message: string, code?: string) => Error;
  list: (all: { id: string }[], page: Params) => unknown;
  refunds: Map<string, { payment_intent: string; amount: number }>;
  /** Returns the charge and the total of a paid invoice. */
  paymentOf: (invoice: string) => { intent: string; total: number };
}

/** A VAT id whose format only Stripe rejects. */
export const REJECTED_VAT_ID = "FR99999999999";

/** Opens the part of the double that keeps customers, their tax ids and credit notes. */
export function openDoubleTax({ newRef, find, refuse, list, refunds, paymentOf }: Parts) {
  const customers = new Map<string, DoubleCustomer>();
  const creditNotes = new Map<string, DoubleCreditNote>();
  const show = (customer: DoubleCustomer) => ({ ...customer, tax_ids: undefined });

  const createCustomer = ({ email }: Params) => {
    const customer: DoubleCustomer = {
      id: newRef("cus"),
      object: "customer",
      email: String(email),
      address: null,
      tax_exempt: "none",
      metadata: {},
      tax_ids: [],
    };
    customers.set(customer.id, customer);
    return show(customer);
  };

  const updateCustomer = ({ metadata = {}, ...change }: Params, id: string) => {
    const customer = find(customers, id);
    const country = (change.address as { country?: string } | undefined)?.country;
    if (country === "UK") throw refuse("Country 'UK' is unknown. Try 'GB' instead.", "parameter_invalid");
    Object.assign(customer, change);
    for (const [name, value] of Object.entries(metadata as Record<string, string>)) {
      if (value === "") delete customer.metadata[name];
      else customer.metadata[name] = value;
    }
    return show(customer);
  };

  const createTaxId = ({ type, value }: Params, id: string) => {
    if (value === REJECTED_VAT_ID) throw refuse("Invalid value for eu_vat.", "tax_id_invalid");
    const taxId = { id: newRef("txi"), object: "tax_id", type: String(type), value: String(value) };
    find(customers, id).tax_ids.push(taxId);
    return taxId;
  };

  const deleteTaxId = (_: Params, path: string) => {
    const [id, , taxId] = path.split("/");
    const customer = find(customers, id!);
    find(new Map(customer.tax_ids.map((one) => [one.id, one])), taxId!);
    customer.tax_ids = customer.tax_ids.filter((one) => one.id !== taxId);
    return { id: taxId, object: "tax_id", deleted: true };
  };

  const createCreditNote = ({ invoice, amount, refunds: linked }: Params) => {
    const { intent, total } = paymentOf(String(invoice));
    const { refund } = (linked as Record<string, { refund: string }>)["0"]!;
    if (find(refunds, refund).payment_intent !== intent) throw refuse("The refund is of another invoice");
    if (find(refunds, refund).amount !== Number(amount)) throw refuse("The amounts must be equal");
    const others = [...creditNotes.values()].filter((note) => note.invoice === invoice);
    if (others.some((note) => note.refunds.some((one) => one.refund === refund))) throw refuse("The refund has a note");
    const credited = others.reduce((sum, note) => sum + note.amount, 0);
    if (credited + Number(amount) > total) throw refuse("The credit note exceeds the invoice");
    const note: DoubleCreditNote = {
      id: newRef("cn"),
      object: "credit_note",
      invoice: String(invoice),
      amount: Number(amount),
      refunds: [{ refund }],
    };
    creditNotes.set(note.id, note);
    return note;
  };

  const listCreditNotes = ({ invoice, ...page }: Params) =>
    list(
      [...creditNotes.values()].filter((note) => note.invoice === invoice),
      page,
    );

  const routes: [string, RegExp, (params: Params, id: string) => unknown][] = [
    ["POST", /^\/v1\/customers$/, createCustomer],
    ["GET", /^\/v1\/customers\/(\w+)$/, (_, id) => show(find(customers, id))],
    ["POST", /^\/v1\/customers\/(\w+)$/, updateCustomer],
    ["POST", /^\/v1\/customers\/(\w+)\/tax_ids$/, createTaxId],
    ["GET", /^\/v1\/customers\/(\w+)\/tax_ids$/, (page, id) => list(find(customers, id).tax_ids, page)],
    ["DELETE", /^\/v1\/customers\/(\w+\/tax_ids\/\w+)$/, deleteTaxId],
    ["POST", /^\/v1\/credit_notes$/, createCreditNote],
    ["GET", /^\/v1\/credit_notes$/, listCreditNotes],
  ];
  return { customers, creditNotes, routes };
}
