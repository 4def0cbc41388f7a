/** Tax: where customers are, their VAT ids, and the lines of supplies and corrections for tax returns and invoices. */
export type { TaxHub, TaxLineHub } from "./hub";
export { listInvoiceLines, listSupplies, parseMonth } from "./list-supplies";
export { findTaxDetails, needsVatId } from "./tax-details";
export { insertTaxLine } from "./tax-line";
export { deleteTaxProfile, getTaxProfile, setTaxProfile } from "./tax-profile";
