import { randomUUID } from "node:crypto";
import type { Callback } from "../callbacks";
import { type Double, type DoubleRequest, type DoubleResponse, openDouble } from "../double";
import { type BflJob, type BflScript, buildCallback, deliverOutput, readResult } from "./job";
import { bflSchemas } from "./schemas";

export interface BflDouble extends Double {
  /** Sets what becomes of the next accepted jobs, one each; all others are ready at the second poll. */
  scriptNextJobs: (...scripts: BflScript[]) => void;
  /** Returns the ids of the accepted jobs, oldest first. */
  listJobs: () => string[];
  /** Sets the credits that a check of the key shows. */
  setCredits: (credits: number) => void;
  /** Ends a job and returns the callback that says so. */
  endJob: (id: string) => Callback;
}

const KEY = "test-key-0123456789";
const MODELS = ["flux-2-pro", "flux-2-klein-4b", "flux-tools/erase-v1"];

/** Opens a double of Black Forest Labs' API. */
export async function openBflDouble(port = 0): Promise<BflDouble> {
  const jobs = new Map<string, BflJob>();
  const scripts: BflScript[] = [];
  let credits = 100;

  const acceptJob = ({ url: { origin }, json }: DoubleRequest): DoubleResponse => {
    const { webhook_url: url, webhook_secret: secret = "" } = json as { webhook_url?: string; webhook_secret?: string };
    const script: BflScript = { pendingPolls: 1, cost: 4.5, ...scripts.shift() };
    const job: BflJob = { id: randomUUID(), ...script, webhook: url ? { url, secret } : null };
    jobs.set(job.id, job);
    const told = { id: job.id, cost: job.cost, input_mp: 0, output_mp: 1.05 };
    if (!url) {
      const polling_url = job.pollingUrl ?? `${origin}/v1/get_result?id=${job.id}`;
      return { status: 200, body: bflSchemas.assertValid("accepted", { ...told, polling_url }) };
    }
    const body = { ...told, status: "Pending", webhook_url: url };
    return { status: 200, body: bflSchemas.assertValid("acceptedWithWebhook", body) };
  };

  const respond = (request: DoubleRequest): DoubleResponse => {
    const { pathname, searchParams, search, origin } = request.url;
    if (isOutput(request)) return deliverOutput(jobs.get(pathname.split("/")[2]!), request);
    const rejection = rejectRequest(request);
    if (rejection) return rejection;
    if (isSubmit(request)) return acceptJob(request);
    if (pathname === "/v1/credits") return { status: 200, body: bflSchemas.assertValid("credits", { credits }) };
    if (pathname === "/v1/moved") return { status: 307, headers: { location: `/v1/get_result${search}` } };
    return readResult(jobs.get(searchParams.get("id") ?? ""), origin);
  };

  const isPaid = (request: DoubleRequest) => isSubmit(request) && !rejectRequest(request);
  const double = await openDouble({ isSubmit: isPaid, isOutput, respond, describeError }, port);
  return {
    ...double,
    scriptNextJobs: (...next) => void scripts.push(...next),
    listJobs: () => [...jobs.keys()],
    setCredits: (next) => void (credits = next),
    endJob: (id) => buildCallback(jobs.get(id)!),
  };
}

const isSubmit = ({ method, url }: DoubleRequest) => method === "POST" && url.pathname.startsWith("/v1/");

const isOutput = ({ url }: DoubleRequest) => url.pathname.startsWith("/delivery/");

/** Returns what is wrong with a request, as the maker would say it. */
function rejectRequest(request: DoubleRequest): DoubleResponse | null {
  const { headers, url, json } = request;
  const key = headers["x-key"];
  if (typeof key !== "string" || key.length < 10) return reject(422, "Invalid API key format");
  if (key !== KEY) return reject(403, "Not authenticated");
  if (!isSubmit(request)) return null;
  if (!MODELS.includes(url.pathname.slice("/v1/".length))) return reject(404, "Not Found");
  const issues = bflSchemas.findIssues("submit", json);
  if (issues.length === 0) return null;
  const detail = issues.map(({ path, message }) => ({
    loc: ["body", ...path.split("/").slice(1)],
    msg: message,
    type: "value_error",
  }));
  return { status: 422, body: bflSchemas.assertValid("validationError", { detail }) };
}

const reject = (status: number, detail: string): DoubleResponse => ({
  status,
  body: bflSchemas.assertValid("error", { detail }),
});

const describeError = (status: number) =>
  status === 422
    ? { detail: [{ loc: ["body", "prompt"], msg: "Field required", type: "missing" }] }
    : { detail: `The double fails with ${status}.` };
