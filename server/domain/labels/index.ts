/**
 * Labels of generations, which are the metadata and the end user that customers send: their limits, and where requests have
 * them.
 */
export { type EndUserHub, getEndUserPads, hashEndUser } from "./end-user-hash";
export { openEndUserKey, reencryptEndUserKey } from "./end-user-key";
export { checkLabels, readLabelHeaders } from "./headers";
export { chooseLabels, labelChat, readLabels, withLabels, withMessagesLabels, withOpenAiLabels } from "./labels";
export { BudgetMetadataInput, KeyMetadataInput, LabelFilter, LabelInput } from "./metadata";
export { METADATA_KEY } from "./pairs";
