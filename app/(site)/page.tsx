import Link from "next/link";

const request = `curl $HUB/api/v1/hub/generations \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "sandbox-image",
       "input": {"prompt": "a lighthouse at dawn"}}'`;

const answer = `202 Accepted

{ "id": "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10",
  "status": "queued",
  "estimated_cost": 0.0092, "billed_cost": null,
  "currency": "EUR", … }`;

const promises = [
  [
    "One balance",
    "Prepaid in EUR, exact to a billionth. An estimate is held before work begins; nothing is charged above it.",
  ],
  [
    "Nothing lost",
    "An accepted generation reaches its end, also when the process is killed. Idempotency keys make a retry safe.",
  ],
  [
    "Many providers",
    "Models, routes and prices stand in one file. A built-in sandbox answers without a key or a network.",
  ],
  ["Yours", "One process, its own Postgres when you bring none, a public contract in OpenAPI 3.1, open source."],
] as const;

export default function Home() {
  return (
    <>
      <section className="hero">
        <h1>Media and text generation, on one prepaid balance</h1>
        <p>
          Generation Hub is a gateway that you run yourself. It takes requests over a small REST API, runs them with the
          providers you chose, keeps what they made, and bills what they cost.
        </p>
        <p className="actions">
          <Link href="/docs" className="button">
            Read the API
          </Link>
          <a href="/api/v1/openapi.json" className="button quiet">
            OpenAPI 3.1
          </a>
        </p>
      </section>
      <section className="exchange" aria-label="A first generation">
        <pre>{request}</pre>
        <pre>{answer}</pre>
      </section>
      <section className="promises">
        {promises.map(([title, text]) => (
          <article key={title}>
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
    </>
  );
}
