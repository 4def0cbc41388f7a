/**
 * OpenAI's Responses: requests are translated into chats, or passed to providers that have Responses themselves, and stored
 * encrypted for as long as later requests may refer to them.
 */
export { hideItem, hideReasoning } from "./build-response";
export { listEvents } from "./dialect";
export { createResponseServices, type ResponseServices } from "./hub";
export { parseResponseId } from "./ids";
export { type PreparedResponse, type ResponseRequest, withResponse } from "./prepare-response";
export { deleteResponse, findResponse, limitResponses, purgeResponses } from "./stored-response";
export { renamePlaces } from "./translate-request";
