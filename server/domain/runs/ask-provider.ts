import type { Route } from "../../catalogue/model";
import type { Hub } from "../../context";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { JobState, Provider } from "../../providers/provider";
import { resolveCharacter } from "../references/learned-character";
import { linkInput, readInput } from "../files/input-file";
import { toUpstreamInput } from "../routing/route-parameters";
import type { AttemptRow } from "../generations/attempts";
import type { Generation } from "../generations/generation";

/** A request to a provider: `submit` a new attempt, `recover` one whose upstream id was not stored, or `poll` one. */
export interface ProviderRequest {
  kind: "submit" | "recover" | "poll";
  attempt: AttemptRow;
  route: Route;
}

/** Returns the provider of a route. */
export const getProvider = (hub: Hub, route: Route): Provider => hub.providers[route.provider.kind]!;

/**
 * Sends a request about an attempt to its provider. Returns a failed state when an input is unavailable, and
 * `cannot-tell` when the provider cannot find the job. Throws the signal's reason, and when the provider or the storage
 * is unavailable.
 */
export async function askProvider(
  hub: Hub,
  generation: Generation,
  { kind, attempt, route }: ProviderRequest,
  signal: AbortSignal,
): Promise<JobState | "cannot-tell"> {
  const { id, account_id, deadline_at } = generation;
  const input = await resolveCharacter(hub, generation).catch(toInputUnavailable);
  if (input instanceof InputUnavailable) return toFailedState(input);
  const job = { id, attempt: attempt.n, openedAt: attempt.started_at, input: toUpstreamInput(route, input), route };
  const io = {
    fetch: hub.fetch,
    read: (url: string) => readInput(hub, account_id, url, { signal }),
    link: (url: string) => linkInput(hub, account_id, url, deadline_at!),
    now: hub.now,
    signal,
  };
  const provider = getProvider(hub, route);
  if (kind === "submit") return provider.submit!(job, io);
  if (kind === "poll") return provider.poll!(job, attempt.upstream_id!, io);
  return provider.recover?.(job, io) ?? "cannot-tell";
}

function toInputUnavailable(error: unknown): InputUnavailable {
  if (error instanceof InputUnavailable) return error;
  throw error;
}

const toFailedState = ({ message, retryable }: InputUnavailable): JobState => ({
  ...{ state: "failed", started: true },
  error: { code: "input_unavailable", message, retryable },
});
