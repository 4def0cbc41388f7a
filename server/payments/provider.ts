/** Whole cents. */
export type Cents = number;

/** A refund as the provider knows it. */
export interface ProviderRefund {
  ref: string;
  /** The key of the hub's refund that it was made for; null for one that was made at the provider. */
  key: string | null;
  amount: Cents;
  hasFailed: boolean;
  /** Whether the money is on its way back for good; neither this nor `hasFailed` while it is pending. */
  hasSucceeded: boolean;
}

/** What a customer's invoices say about tax. */
export interface TaxDetails {
  /** ISO 3166-1, two letters. */
  country: string;
  /** A VAT id of the EU, with its prefix. */
  vatId: string | null;
  /** Whether the customer owes the tax instead of the seller. */
  isReverseCharge: boolean;
}

/** A saved method. */
export interface SavedMethod {
  customer: string;
  ref: string;
  /** Such as "Visa •••• 4242". */
  label: string;
}

/** Why a charge failed. */
export interface ChargeFailure {
  code: string;
  /** Whether the customer must act, so that charging again is of no use: authentication, or a final decline. */
  isFinal: boolean;
}

/**
 * A payment as it is at the provider. All sums are cumulative and never fall, so applying an old state is harmless.
 */
export interface PaymentState {
  /** `open`: nothing was paid yet, and somebody may still pay; `processing`: the money is on its way. */
  state: "open" | "processing" | "paid" | "failed" | "expired";
  /** What refunds and disputes refer to; null while nobody has paid. */
  intent: string | null;
  currency: string;
  /** The amount requested, without tax. */
  amount: Cents;
  /** What was paid of it, without tax: less than the amount after a discount. */
  paid: Cents;
  tax: Cents;
  refunds: ProviderRefund[];
  disputed: Cents;
  reinstated: Cents;
  failure: ChargeFailure | null;
  /** The invoice that the provider has made. */
  invoice: string | null;
  invoiceUrl: string | null;
  /** The method that the customer agreed to save with this payment. */
  method: SavedMethod | null;
}

/** What a provider reported: the payment, charge or customer to look up. */
export interface ProviderEvent {
  id: string;
  kind: string;
  ref: string | null;
  intent: string | null;
  customer: string | null;
}

/** The payment that the hub asks a provider about. */
export interface PaymentRef {
  id: string;
  kind: "top_up" | "automatic";
  ref: string;
}

/** A payment that the hub has made at the provider, as its metadata there says, which is a hint. */
export interface FoundPayment extends PaymentRef {
  customer: string | null;
  createdAt: Date;
  /** Whether its metadata names this hub; without a name it may be another hub's with the same account at the provider. */
  isNamed: boolean;
}

/** A company that takes payments. Every call is idempotent by its own key, and throws PaymentUnavailable. */
export interface PaymentProvider {
  /**
   * Creates the customer of an account and returns its id at the provider. Another `version` creates another, and so does
   * another `former`, which is the customer that it replaces.
   */
  createCustomer(customer: { account: number; email: string; version: number; former: string | null }): Promise<string>;
  /**
   * Sets the tax details of a customer; null removes those that the hub has set. Throws PaymentRejected when the provider
   * does not accept them, and CustomerMissing.
   */
  setTaxDetails(customer: string, details: TaxDetails | null): Promise<void>;
  /** Creates a page on which the customer pays. */
  startTopUp(topUp: {
    id: string;
    customer: string;
    amount: Cents;
    savesMethod: boolean;
    /** Whether the page asks for a VAT id, because the hub knows none. */
    asksForVatId: boolean;
    returnUrl: string;
  }): Promise<{ url: string; ref: string }>;
  /** Creates a page on which the customer saves a method. Throws CustomerMissing. */
  startSetup(setup: { customer: string; returnUrl: string }): Promise<string>;
  /** Creates a page with the customer's methods and invoices. */
  openPortal(customer: string, returnUrl: string): Promise<string>;
  /** Prepares a charge of the saved method and returns its id at the provider. Takes no money. */
  prepareCharge(charge: { id: string; customer: string; method: string; amount: Cents }): Promise<string>;
  /** Takes the money of a prepared charge. `fetchPayment` returns the outcome, even after an error. */
  sendCharge(charge: PaymentRef): Promise<void>;
  /** Ensures that a charge is not paid later, unless it was already. */
  cancelCharge(charge: PaymentRef): Promise<void>;
  fetchPayment(payment: PaymentRef): Promise<PaymentState>;
  /** Returns the payment of a hub that an event is about; null for what no hub has made, such as other products' payments. */
  findPayment(event: Pick<ProviderEvent, "ref" | "intent">): Promise<FoundPayment | null>;
  /** Returns the saved method of a customer; null without one. */
  fetchMethod(customer: string): Promise<SavedMethod | null>;
  /** Refunds an amount. Throws PaymentRejected when the provider definitely rejects it. */
  refund(refund: { key: string; intent: string; amount: Cents }): Promise<void>;
  /** Issues a credit note for each refund that has succeeded and has none. Throws PaymentRejected when one is rejected. */
  issueCreditNotes(invoice: string, refunds: ProviderRefund[]): Promise<void>;
  /** Returns what a webhook reports, or null when it is of no interest. Throws BadSignature and MalformedEvent. */
  readEvent(body: Buffer, headers: Headers): ProviderEvent | null;
  /** Yields what happened since a time, in any order. */
  listEvents(since: Date): AsyncIterable<ProviderEvent>;
}

/** The provider has definitely not carried out a request. */
export class PaymentRejected extends Error {
  override readonly name = "PaymentRejected";
}

export const isPaymentRejected = (error: unknown): error is PaymentRejected => error instanceof PaymentRejected;

/** The provider did not carry out a request. It may succeed later; the provider's own error is the cause. */
export class PaymentUnavailable extends Error {
  override readonly name = "PaymentUnavailable";
}

export const isPaymentUnavailable = (error: unknown): error is PaymentUnavailable =>
  error instanceof PaymentUnavailable;

/** The provider has no such customer any more: it was deleted there, or is one of the provider's test mode. */
export class CustomerMissing extends PaymentUnavailable {}

export const isCustomerMissing = (error: unknown): error is CustomerMissing => error instanceof CustomerMissing;

/** A webhook without a recent signature of the provider. */
export class BadSignature extends Error {
  override readonly name = "BadSignature";
}

/** A webhook that the provider has signed, of a shape that the hub does not know. */
export class MalformedEvent extends Error {
  override readonly name = "MalformedEvent";
}

export const isMalformedEvent = (error: unknown): error is MalformedEvent => error instanceof MalformedEvent;

export const isBadSignature = (error: unknown): error is BadSignature => error instanceof BadSignature;
