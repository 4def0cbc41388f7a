import { getPageApi } from "@/server/hub";

const units = [
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Returns a duration in words: "30 seconds", "2 minutes 30 seconds", "72 hours". */
export function formatWait(seconds: number): string {
  let remaining = seconds;
  const parts = units.flatMap(([name, length]) => {
    const count = Math.floor(remaining / length);
    remaining -= count * length;
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? "" : "s"}`];
  });
  return parts.join(" ") || "0 seconds";
}

interface Response {
  label: string;
  /** One of the statuses that the hub treats alike; null without a response. */
  status: number | null;
}

/** The kinds of responses. */
const responses: Response[] = [
  { label: "2xx", status: 200 },
  { label: "3xx; redirects are not followed", status: 302 },
  { label: "any other 4xx", status: 404 },
  { label: "429", status: 429 },
  { label: "5xx", status: 503 },
];

const outcomes = { succeeded: "Delivered", failed: "Failed, not retried", retry: "Retried" };

/** Shows what the hub does after each response, computed by its own rule. */
export async function ResponseTable({ delays, now }: { delays: number[]; now: Date }) {
  const { ATTEMPT_TIMEOUT_MS, classifyResponse } = await getPageApi();
  const wait = formatWait(ATTEMPT_TIMEOUT_MS / 1_000);
  const noResponse = { label: `no complete response within ${wait}, or a connection or TLS error`, status: null };
  const result = { durationMs: 0, error: null, response: null, retryAfter: null };
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Your response</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {[...responses, noResponse].map(({ label, status }) => (
            <tr key={label}>
              <td>{label}</td>
              <td>{outcomes[classifyResponse({ ...result, status }, 1, delays, now).next]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows when this hub retries a delivery. */
export async function Schedule({ delays }: { delays: number[] }) {
  const { MAX_RETRY_AFTER_SECONDS } = await getPageApi();
  const waits = [0, ...delays];
  return (
    <>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">After the previous</th>
              <th scope="col">Since the first</th>
            </tr>
          </thead>
          <tbody>
            {waits.map((seconds, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>{index === 0 ? "immediately" : formatWait(seconds)}</td>
                <td>{index === 0 ? "—" : formatWait(waits.slice(0, index + 1).reduce((sum, one) => sum + one, 0))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        A <code>Retry-After</code> header on a 429 or 503 can lengthen a wait, up to{" "}
        {formatWait(MAX_RETRY_AFTER_SECONDS)}, but never shorten it. After attempt {waits.length} the delivery fails,
        and the webhook&apos;s <code>last_error</code> says why.
      </p>
    </>
  );
}
