import type { Metadata } from "next";
import { getHub } from "@/server/hub";
import { CallSnippets } from "../../../calls/call-snippets";
import { Codes } from "../../../calls/codes";
import { downloads } from "../../../calls/download";
import { SharedLanguage } from "../../../calls/languages";
import { Link } from "../../../ui/link";
import { OwnKey } from "./own-key";

export const metadata: Metadata = { title: "Quick start" };

const picture = { prompt: "A lighthouse at dawn", aspect_ratio: "16:9" };
const chat = { messages: [{ role: "user", content: "What does a lighthouse see?" }] };

/** From nothing to a picture and a chat. */
export default async function QuickStart() {
  const base = (await getHub()).env.BASE_URL;
  return (
    <SharedLanguage>
      <article className="prose">
        <h1>Quick start</h1>
        <p className="lead">
          A picture and a chat in five minutes, with the models of the sandbox: they need no provider, and cost about a
          cent of your credit.
        </p>

        <h2 id="key">1. A key</h2>
        <OwnKey />

        <h2 id="picture">2. A picture</h2>
        <p>
          A call is accepted with <code>202</code> and runs by itself; <code>estimated_cost</code> is held of your
          balance, and is the most that is charged. These programs wait for the end, curl asks again in the next step.
        </p>
        <CallSnippets title="Generate" call={{ base, model: "sandbox-image", isLlm: false, input: picture }} />

        <h2 id="download">3. Look, and download</h2>
        <p>
          <code>status</code> says how it goes, <code>billed_cost</code> what it cost in the end. Each output has a{" "}
          <code>url</code>, which only you can open, until its <code>expires_at</code>. Add this to the end:
        </p>
        <Codes title="Download" codes={downloads(base)} />

        <h2 id="chat">4. A chat</h2>
        <p>
          Text models take what OpenAI&apos;s API takes, so its SDKs work as they are (<code>npm install openai</code>,{" "}
          <code>pip install openai</code>). <code>usage.cost</code> is what the answer cost.
        </p>
        <CallSnippets title="Chat" call={{ base, model: "sandbox-text", isLlm: true, input: chat }} />

        <h2 id="next">Go on</h2>
        <ul className="ways">
          <li>
            <Link href="/playground">Playground</Link>: try a model by hand, and copy the call.
          </li>
          <li>
            <Link href="/docs">The API</Link>: every operation. Send an <code>Idempotency-Key</code> with each call, and
            a repetition is safe.
          </li>
          <li>
            <Link href="/docs/webhooks">Webhooks</Link>: be told, instead of asking.
          </li>
          <li>
            <Link href="/docs/hub/errors">Errors</Link>: what each code means, and what to do.
          </li>
        </ul>
      </article>
    </SharedLanguage>
  );
}
