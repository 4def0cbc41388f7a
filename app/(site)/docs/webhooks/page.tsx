import type { Hub } from "@/server/domain/hub";
import {
  describeEvent,
  type EventName,
  eventNames,
  generationEventNames,
  TEST_EVENT,
} from "@/server/domain/events/event-names";
import { getHub, getPageApi } from "@/server/hub";
import { Codes, SharedLanguage } from "../../../code-samples/codes";
import { requestSnippets } from "../../../code-samples/request-snippets";
import { Link } from "../../../ui/link";
import { byHand, byLibrary } from "./programs";
import { formatWait, ResponseTable, Schedule } from "./schedule";

export const metadata = { title: "Webhooks" };

/** Renders the guide to receiving events from the hub's own event names, signer and retry schedule. */
export default async function WebhooksGuide() {
  const hub = await getHub();
  const { ATTEMPT_TIMEOUT_MS, EXAMPLE_SECRET, MAX_ENDPOINTS } = await getPageApi();
  const delays = hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  return (
    <SharedLanguage>
      <article className="prose">
        <h1>Webhooks</h1>
        <p className="lead">
          The hub posts signed events about your generations to your server, so that you don&apos;t need to poll.
          Register a URL, keep its secret, and verify each request.
        </p>

        <h2 id="register">Register a URL</h2>
        <p>
          In the console under <Link href="/webhooks">Webhooks</Link>, or through the API. The URL must use https and be
          on the public internet; an account can have up to {MAX_ENDPOINTS} active webhooks. The response contains{" "}
          <code>secret</code>, only this once.
        </p>
        <Codes title="Register" codes={registration(hub.env.BASE_URL)} />

        <h2 id="events">Events</h2>
        <Events />
        <p>
          Each event is posted as JSON. <code>data</code> is the complete generation or payment at that moment, and
          every attempt sends the same bytes.
        </p>
        {eventNames.map((name) => (
          <Example key={name} hub={hub} event={name} />
        ))}
        <p className="note">
          Signed with the secret <code>{EXAMPLE_SECRET}</code>. The signature covers the body without line breaks.
        </p>

        <Verify />

        <h2 id="answer">Respond to an event</h2>
        <p>
          Respond with any 2xx within {formatWait(ATTEMPT_TIMEOUT_MS / 1_000)}, and do the work afterwards. Deliveries
          can arrive twice and out of order: store the values of <code>X-Service-Delivery</code> that you have
          processed, and rely on <code>data.status</code>, not on the order of arrival.
        </p>
        <ResponseTable delays={delays} now={hub.now()} />

        <h2 id="retries">Retries</h2>
        <Schedule delays={delays} />
        <p>
          The console shows every attempt under <Link href="/webhooks">Webhooks</Link> and can resend a delivery.
          Without a public URL, read the same events from{" "}
          <Link href="/docs/api/webhooks#get-api-v1-hub-events">the event feed</Link>.
        </p>
      </article>
    </SharedLanguage>
  );
}

const Verify = () => (
  <>
    <h2 id="verify">Verify an event</h2>
    <p>
      Anybody can post to your URL, but only the hub can sign with your secret. Verify the raw bytes before you parse
      them. The <a href="https://www.standardwebhooks.com">Standard Webhooks</a> libraries accept the secret as it is:
    </p>
    <Codes title="With a library" codes={byLibrary} />
    <p>
      Without a library: <code>X-Service-Signature</code> is <code>sha256=</code> followed by the HMAC-SHA256 of the raw
      body in lowercase hexadecimal, keyed with the complete secret. For a day after a rotation,{" "}
      <code>X-Service-Signature-Previous</code> is made with the previous secret.
    </p>
    <Codes title="Without a library" codes={byHand} />
  </>
);

const Events = () => (
  <div className="scroll">
    <table>
      <tbody>
        {eventNames.map((name) => (
          <EventRow key={name} name={name} {...describeEvent(name)} />
        ))}
        <EventRow
          name={TEST_EVENT}
          summary="You requested a test"
          note="It contains an example generation, and is sent regardless of the webhook’s events."
        />
      </tbody>
    </table>
  </div>
);

const EventRow = ({ name, summary, note = "" }: { name: string; summary: string; note?: string }) => (
  <tr>
    <th scope="row">
      <code>{name}</code>
    </th>
    <td>
      {summary}. {note}
    </td>
  </tr>
);

async function Example({ hub, event }: { hub: Hub; event: EventName }) {
  const { exampleDelivery } = await getPageApi();
  const { headers, body } = exampleDelivery(hub, event);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details className="example">
      <summary>
        Example of <code>{event}</code>
      </summary>
      <pre tabIndex={0} aria-label={`Example of ${event}`} className="block">
        {lines.join("\n")}
        {"\n\n"}
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
    </details>
  );
}

const RECEIVER = "https://example.com/hooks/hub";

/** Returns programs that register a webhook with the key in HUB_API_KEY and print its secret. */
const registration = (base: string) =>
  requestSnippets(base, {
    method: "POST",
    path: "/api/v1/hub/webhooks",
    headers: {},
    credential: "key",
    body: { kind: "json", value: { url: RECEIVER, events: generationEventNames } },
    result: { member: "secret" },
  });
