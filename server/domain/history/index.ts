/**
 * What the operators' Status draws of the last month: ended attempts by hour, provider and model, the load by minute, and when
 * breakers were open. The sweep writes it from rows that exist; see docs/decisions/0141-status-in-pictures.md.
 */
export { type HistoryPeriod, historyPeriods } from "./periods";
export { listBreakers, readLoad } from "./read-load";
export { readWork } from "./read-work";
export { purgeHistory, rollUpWork, sampleLoad } from "./roll-up";
