import type { Metadata } from "next";
import type { Hub } from "@/server/context";
import { type EventName, eventNames, TEST_EVENT } from "@/server/domain/webhooks/endpoint";
import { MAX_ENDPOINTS } from "@/server/domain/webhooks/create";
import { ATTEMPT_TIMEOUT_MS } from "@/server/domain/webhooks/send";
import { getHub } from "@/server/hub";
import { Codes } from "../../../calls/codes";
import { SharedLanguage } from "../../../calls/languages";
import { registration } from "../../../calls/registration";
import { Link } from "../../../ui/link";
import { EXAMPLE_SECRET, exampleDelivery, occasions } from "./example";
import { byHand, byLibrary } from "./programs";
import { Schedule, Verdicts } from "./schedule";
import { formatWait } from "./format-wait";

export const metadata: Metadata = { title: "Webhooks" };

/** How a server takes events, told with what the hub itself goes by: its names, its signer, its schedule. */
export default async function WebhooksGuide() {
  const hub = await getHub();
  const delays = hub.env.WEBHOOK_RETRY_DELAYS_SECONDS;
  return (
    <SharedLanguage>
      <article className="prose">
        <h1>Webhooks</h1>
        <p className="lead">
          The hub tells your server what becomes of a generation, so that you need not ask. Register an address, keep
          its secret, verify what comes.
        </p>

        <h2 id="register">Register an address</h2>
        <p>
          In the console under <Link href="/webhooks">Webhooks</Link>, or by the API. The address must use https and be
          on the public internet; an account can have {MAX_ENDPOINTS} active ones. The answer has <code>secret</code>,
          this once.
        </p>
        <Codes title="Register" codes={registration(hub.env.BASE_URL)} />

        <h2 id="events">Events</h2>
        <Events />
        <p>
          Each is posted as JSON: <code>data</code> is the whole generation as it was at that moment, and every attempt
          sends the same bytes.
        </p>
        {eventNames.map((name) => (
          <Example key={name} hub={hub} event={name} />
        ))}
        <p className="note">
          Signed with the secret <code>{EXAMPLE_SECRET}</code>, over the same bodies without their line breaks.
        </p>

        <Verify />

        <h2 id="answer">Answer it</h2>
        <p>
          With any 2xx, within {formatWait(ATTEMPT_TIMEOUT_MS / 1_000)}; do the work afterwards. A delivery can come
          twice and out of order: keep the values of <code>X-Service-Delivery</code> that you have seen, and trust{" "}
          <code>data.status</code>, not the order of arrival.
        </p>
        <Verdicts delays={delays} now={hub.now()} />

        <h2 id="retries">When your server is away</h2>
        <Schedule delays={delays} />
        <p>
          The console shows every attempt under <Link href="/webhooks">Webhooks</Link>, and sends a delivery once more
          when you ask. Without a public address, read the same events from{" "}
          <Link href="/docs#get-api-v1-hub-events">the feed</Link>.
        </p>
      </article>
    </SharedLanguage>
  );
}

const Verify = () => (
  <>
    <h2 id="verify">Verify it</h2>
    <p>
      Anybody can post to your address; only the hub can sign with your secret. Verify the raw bytes before you parse
      them. The libraries of <a href="https://www.standardwebhooks.com">Standard Webhooks</a> take the secret as it is:
    </p>
    <Codes title="With a library" codes={byLibrary} />
    <p>
      Without one: <code>X-Service-Signature</code> is <code>sha256=</code> and the HMAC-SHA256 of the raw body in
      lowercase hexadecimal, keyed by the whole text of the secret. For a day after a rotation{" "}
      <code>X-Service-Signature-Previous</code> is made with the secret before.
    </p>
    <Codes title="Without a library" codes={byHand} />
  </>
);

const told = [...eventNames, TEST_EVENT] as const;

const Events = () => (
  <div className="scroll">
    <table>
      <tbody>
        {told.map((name) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{occasions[name]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function Example({ hub, event }: { hub: Hub; event: EventName }) {
  const { headers, body } = exampleDelivery(hub, event);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details className="example">
      <summary>
        An example of <code>{event}</code>
      </summary>
      <pre tabIndex={0} aria-label={`An example of ${event}`} className="block">
        {lines.join("\n")}
        {"\n\n"}
        {JSON.stringify(JSON.parse(body), null, 2)}
      </pre>
    </details>
  );
}
