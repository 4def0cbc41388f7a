/**
 * Comparing the bills of providers with the attempts that the hub knows: a file or an API that tells what was billed, matched by
 * the provider's id of each job or by day. Nothing but the report is stored.
 */
export type { Bill } from "./bill";
export { type BillDifference, type BillReport, hasDifferences } from "./bill-report";
export { compareBill } from "./compare-bill";
export { billApis, type BillApiName, openOnlineBill } from "./online-bills";
export { openBillFile } from "./open-bill-file";
export { listBillReports, storeBillReport } from "./reports";
