import { BadgeEuro, Cpu, Route, ShieldCheck } from "lucide-react";
import { findCaller } from "../session/current";
import { Link } from "../ui/link";

const request = `curl $HUB/api/v1/hub/generations \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "sandbox-image",
       "input": {"prompt": "a lighthouse at dawn"}}'`;

const answer = `{
  "id": "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  "status": "queued",
  "estimated_cost": 0.0092,
  "billed_cost": null,
  "currency": "EUR", …
}`;

const promises = [
  {
    Icon: BadgeEuro,
    title: "One balance",
    text: "Prepaid in EUR, exact to a billionth. An estimate is held before work begins; nothing is charged above it.",
  },
  {
    Icon: ShieldCheck,
    title: "Nothing lost",
    text: "An accepted generation reaches its end, also when the process is killed. Idempotency keys make a retry safe.",
  },
  {
    Icon: Route,
    title: "Many providers",
    text: "Models, routes and prices stand in one file. A built-in sandbox answers without a key or a network.",
  },
  {
    Icon: Cpu,
    title: "Yours",
    text: "One process, its own Postgres when you bring none, your own GPUs as workers, open source.",
  },
] as const;

export default async function Home() {
  const { hub, session } = await findCaller();
  const start = session
    ? { href: "/playground", word: "Open the playground" }
    : hub.env.SIGN_UP === "open"
      ? { href: "/sign-up", word: "Create an account" }
      : { href: "/sign-in", word: "Sign in" };
  return (
    <>
      <section className="hero">
        <h1>Media and text generation, on one prepaid balance</h1>
        <p>
          Generation Hub is a gateway that you run yourself. It takes requests over a small REST API, runs them with the
          providers you chose, keeps what they made, and bills what they cost.
        </p>
        <p className="actions">
          <Link href={start.href} className="button">
            {start.word}
          </Link>
          <Link href="/docs/quick-start" className="button quiet">
            Quick start
          </Link>
        </p>
      </section>
      <section className="exchange" aria-label="A first generation">
        <figure>
          <figcaption>A request</figcaption>
          <pre tabIndex={0} aria-label="A request">
            {request}
          </pre>
        </figure>
        <figure>
          <figcaption>
            Its answer <span className="status">202</span>
          </figcaption>
          <pre tabIndex={0} aria-label="Its answer">
            {answer}
          </pre>
        </figure>
      </section>
      <section className="promises" aria-label="What it promises">
        {promises.map(({ Icon, title, text }) => (
          <article key={title}>
            <Icon size={20} aria-hidden />
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <p className="more">
        <Link href="/docs">Read the API</Link>
        <a href="/api/v1/openapi.json">OpenAPI 3.1</a>
        <Link href="/docs/webhooks">Webhooks</Link>
        <Link href="/docs/hub/errors">Errors</Link>
      </p>
    </>
  );
}
