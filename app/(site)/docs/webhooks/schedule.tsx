import { ATTEMPT_TIMEOUT_MS } from "@/server/domain/webhooks/send";
import { classifyResponse, MAX_RETRY_AFTER_SECONDS } from "@/server/domain/webhooks/classify-response";
import { formatWait } from "./format-wait";

/** Answers that a server may give, each for all that are judged like it. */
const answers: { told: string; status: number | null }[] = [
  { told: "2xx", status: 200 },
  { told: "3xx; redirects are not followed", status: 302 },
  { told: "any other 4xx", status: 404 },
  { told: "429", status: 429 },
  { told: "5xx", status: 503 },
  {
    told: `no whole answer within ${formatWait(ATTEMPT_TIMEOUT_MS / 1_000)}, a broken connection or certificate`,
    status: null,
  },
];

const follows = { succeeded: "Delivered.", failed: "Given up at once.", retry: "Tried again." };

/** What follows from an answer, by the rule that the hub itself goes by. */
export function Verdicts({ delays, now }: { delays: number[]; now: Date }) {
  const result = { durationMs: 0, error: null, response: null, retryAfter: null };
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Your answer</th>
            <th scope="col">What follows</th>
          </tr>
        </thead>
        <tbody>
          {answers.map(({ told, status }) => (
            <tr key={told}>
              <td>{told}</td>
              <td>{follows[classifyResponse({ ...result, status }, 1, delays, now).next]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** When a delivery is tried again, as this hub is set. */
export function Schedule({ delays }: { delays: number[] }) {
  const waits = [0, ...delays];
  return (
    <>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">After the one before</th>
              <th scope="col">Since the first</th>
            </tr>
          </thead>
          <tbody>
            {waits.map((seconds, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>{index === 0 ? "at once" : formatWait(seconds)}</td>
                <td>{index === 0 ? "—" : formatWait(waits.slice(0, index + 1).reduce((sum, one) => sum + one, 0))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        A <code>Retry-After</code> of a 429 or 503 makes a wait longer, up to {formatWait(MAX_RETRY_AFTER_SECONDS)}, and
        never shorter. After attempt {waits.length} the delivery is given up, and <code>last_error</code> of the webhook
        says why.
      </p>
    </>
  );
}
