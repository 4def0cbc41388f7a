/**
 * OpenAI's Responses: requests are translated into chats, or passed to providers that have Responses themselves, and stored
 * encrypted for as long as later requests may refer to them.
 */
export { hideItem, hideReasoning } from "./build-response";
export { createResponseServices, type ResponseServices, type ResponsesHub } from "./hub";
export { parseResponseId } from "./ids";
export { type PreparedResponse, withResponse } from "./prepare-response";
export { ENCRYPTED_REASONING } from "./read-request";
export { reencryptResponses } from "./reencrypt-responses";
export { formatWholeResponse, listEvents } from "./send-events";
export { deleteResponse, findResponse, limitAllResponses, limitResponses, purgeResponses } from "./stored-response";
export { renamePlaces } from "./translate-request";
