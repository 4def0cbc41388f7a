import { BadgeEuro, Cpu, Route, ShieldCheck } from "lucide-react";
import { getHub, getPageApi } from "@/server/hub";
import { samplePath } from "../(console)/models/sample-path";
import { findCaller } from "../session/caller";
import { Link } from "../ui/link";

const request = `curl $HUB_URL/api/v1/hub/generations \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "sandbox-image",
       "input": {"prompt": "a lighthouse at dawn"}}'`;

const response = `{
  "id": "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  "status": "queued",
  "estimated_cost": 0.0092,
  "billed_cost": null,
  "currency": "EUR", …
}`;

const features = [
  {
    Icon: BadgeEuro,
    title: "One balance",
    text: "Prepaid in EUR, exact to a billionth. The estimate is reserved up front, and you never pay more.",
  },
  {
    Icon: ShieldCheck,
    title: "Nothing lost",
    text: "Accepted generations always finish, even if the process is killed. Idempotency keys make retries safe.",
  },
  {
    Icon: Route,
    title: "Many providers",
    text: "Models, routes and prices live in one file. A built-in sandbox works offline, without keys.",
  },
  {
    Icon: Cpu,
    title: "Yours",
    text: "One process, with an embedded Postgres or your own. Your GPUs as workers. Open source.",
  },
] as const;

export default async function Home() {
  const { hub, session } = await findCaller();
  const start = session
    ? { href: "/playground", label: "Open the playground" }
    : hub.env.SIGN_UP === "open"
      ? { href: "/sign-up", label: "Create an account" }
      : { href: "/sign-in", label: "Sign in" };
  return (
    <>
      <section className="hero">
        <h1>Media and text generation, on one prepaid balance</h1>
        <p>
          Generation Hub is a self-hosted gateway. It takes requests over a small REST API, runs them with the providers
          you choose, stores the outputs and charges what they cost.
        </p>
        <p className="actions">
          <Link href={start.href} className="button">
            {start.label}
          </Link>
          <Link href="/docs/quick-start" className="button quiet">
            Quick start
          </Link>
        </p>
      </section>
      <Samples />
      <section className="exchange" aria-label="A first generation">
        <figure>
          <figcaption>Request</figcaption>
          <pre tabIndex={0} aria-label="Request">
            {request}
          </pre>
        </figure>
        <figure>
          <figcaption>
            Response <span className="status">202</span>
          </figcaption>
          <pre tabIndex={0} aria-label="Response">
            {response}
          </pre>
        </figure>
      </section>
      <section className="promises" aria-label="Features">
        {features.map(({ Icon, title, text }) => (
          <article key={title}>
            <Icon size={20} aria-hidden />
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <p className="more">
        <Link href="/docs">API reference</Link>
        <a href="/api/v1/openapi.json">OpenAPI 3.1</a>
        <Link href="/docs/webhooks">Webhooks</Link>
        <Link href="/docs/hub/errors">Errors</Link>
      </p>
    </>
  );
}

/** Shows the sample pictures that operators chose for this page. */
async function Samples() {
  const { listHomeSamples } = await getPageApi();
  const samples = await listHomeSamples(await getHub());
  if (samples.length === 0) return null;
  return (
    <ul className="samples" aria-label="Samples">
      {samples.map(({ id, modelName }, index) => (
        <li key={id}>
          <figure>
            <img
              src={samplePath(id)}
              alt={`Made with ${modelName}`}
              width={640}
              height={480}
              fetchPriority={index === 0 ? "high" : undefined}
            />
            <figcaption aria-hidden>{modelName}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
