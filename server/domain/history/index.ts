/**
 * The last month on the operators' Status page: ended attempts by hour, provider and model, the load by minute, and when
 * breakers were open. The sweep writes attempts and load from existing rows; see docs/decisions/0141-status-in-pictures.md.
 */
export { type HistoryPeriod, historyPeriods } from "./periods";
export { listBreakers, readLoad } from "./read-load";
export { readWork } from "./read-work";
export { purgeHistory, rollUpWork, sampleLoad } from "./roll-up";
