import { getHub, getPageApi } from "@/server/hub";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { Codes, SharedLanguage } from "../../../code-samples/codes";
import { downloads } from "../../../code-samples/download";
import { findCaller } from "../../../session/caller";
import { Link } from "../../../ui/link";

export const metadata = { title: "Quick start" };

const picture = { prompt: "A lighthouse at dawn", aspect_ratio: "16:9" };
const chat = { messages: [{ role: "user", content: "What does a lighthouse see?" }] };

export default async function QuickStart() {
  const base = (await getHub()).env.BASE_URL;
  return (
    <SharedLanguage>
      <article className="prose">
        <h1>Quick start</h1>
        <p className="lead">
          Generate an image and run a chat in five minutes. The sandbox models used here need no provider and cost about
          one cent of your credit.
        </p>

        <h2 id="key">1. Create a key</h2>
        <OwnKey />

        <h2 id="picture">2. Generate an image</h2>
        <p>
          The hub accepts the request with <code>202</code> and runs it in the background. It reserves{" "}
          <code>estimated_cost</code> from your balance, the most that you can be charged. The TypeScript and Python
          programs wait for the result; with curl, you poll in the next step.
        </p>
        <CallSnippets title="Generate" call={{ base, model: "sandbox-image", isLlm: false, input: picture }} />

        <h2 id="download">3. Download the output</h2>
        <p>
          <code>status</code> shows the progress and <code>billed_cost</code> the final cost. Each output has a{" "}
          <code>url</code> that only you can open, until <code>expires_at</code>. Add this to the end:
        </p>
        <Codes title="Download" codes={downloads(base, ["image"])} />

        <h2 id="chat">4. Run a chat</h2>
        <p>
          Text models accept requests in the format of OpenAI&apos;s API, so its SDKs work unchanged (
          <code>npm install openai</code>, <code>pip install openai</code>). <code>usage.cost</code> is the cost of the
          response.
        </p>
        <CallSnippets title="Chat" call={{ base, model: "sandbox-text", isLlm: true, input: chat }} />

        <h2 id="next">Next steps</h2>
        <ul className="ways">
          <li>
            <Link href="/playground">Playground</Link>: try a model and copy the request.
          </li>
          <li>
            <Link href="/quickstarts">Quick starts</Link>: use the hub from your editor, your agents and other programs.
          </li>
          <li>
            <Link href="/docs">API reference</Link>: every operation. Send an <code>Idempotency-Key</code> with each
            request to make retries safe.
          </li>
          <li>
            <Link href="/docs/webhooks">Webhooks</Link>: get notified instead of polling.
          </li>
          <li>
            <Link href="/docs/hub/errors">Errors</Link>: what each code means and how to fix it.
          </li>
        </ul>
      </article>
    </SharedLanguage>
  );
}

/** Shows the command that sets the key, with the prefix of the reader's newest key. */
async function OwnKey() {
  const { hub, session } = await findCaller();
  if (!session) {
    const isOpen = hub.env.SIGN_UP === "open";
    return (
      <>
        <p>
          <Link href={`${isOpen ? "/sign-up" : "/sign-in"}?next=${encodeURIComponent("/docs/quick-start#key")}`}>
            {isOpen ? "Create an account" : "Sign in"}
          </Link>{" "}
          and create a key in the console under API keys. It is shown only once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  const { listKeys } = await getPageApi();
  const now = session.hub.now();
  const newestKey = (await listKeys(session)).find(
    (key) => !key.revoked_at && (!key.expires_at || key.expires_at > now),
  );
  if (!newestKey) {
    return (
      <>
        <p>
          You don’t have a key yet. <Link href="/keys">Create one</Link>. It is shown only once.
        </p>
        <KeyLine prefix="service_sk_" />
      </>
    );
  }
  return (
    <>
      <p>
        Your newest key is “{newestKey.name}”. It was shown once; if you didn’t save it,{" "}
        <Link href="/keys">create another</Link>.
      </p>
      <KeyLine prefix={newestKey.prefix} />
    </>
  );
}

const KeyLine = ({ prefix }: { prefix: string }) => (
  <pre tabIndex={0} aria-label="Command that sets the key" className="block">
    export HUB_API_KEY={prefix}…
  </pre>
);
