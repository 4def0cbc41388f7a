import { invalidInput } from "../../errors";
import { isOutboundError, type SafeFetch } from "../../lib/safe-fetch";

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4_096;

/** Posts a text to an incoming webhook in Slack's format. Throws a 400 that says why it was not accepted. */
export async function postToSlack(fetch: SafeFetch, url: string, text: string): Promise<void> {
  const sending = fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": "Generation-Hub/1" },
    body: JSON.stringify({ text: escapeMarkup(text) }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
    whenLarger: "cut",
    schemes: ["https:"],
  });
  const { status } = await sending.catch((error: unknown) => {
    throw isOutboundError(error) ? invalidInput("slack_url", error.message) : error;
  });
  if (status < 200 || status > 299) throw invalidInput("slack_url", `The URL responded with HTTP ${status}.`);
}

/** Escapes what Slack would read as a mention or link: names of keys are free text. */
const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
