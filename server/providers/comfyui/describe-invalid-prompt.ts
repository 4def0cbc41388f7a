import { z } from "zod";
import type { Workflow } from "../../catalogue/model";
import { describeRejection } from "../http/describe-rejection";
import type { FailedJob, Job } from "../job";

/** What is wrong with a graph, by the node. */
export const NodeErrors = z.record(
  z.string(),
  z.object({
    errors: z.array(
      z.object({
        message: z.string(),
        extra_info: z.object({ input_name: z.string().optional() }).optional().catch(undefined),
      }),
    ),
  }),
);

const Invalid = z.object({ node_errors: NodeErrors });

/**
 * Returns the failure of a prompt that the server found invalid. It is about the job's input if a parameter is bound to the
 * place of an error, otherwise about the route: its workflow, or what the server has installed.
 */
export function describeInvalidPrompt({ route }: Job, body: unknown): FailedJob {
  const reason = findReason(route.workflow!, Invalid.safeParse(body).data?.node_errors ?? {});
  if (reason !== null) return describeRejection({ status: 400, headers: {} }, route.provider, reason);
  return {
    state: "failed",
    started: "no",
    cause: "account",
    upstreamStatus: 400,
    error: { code: "provider_refused", message: "The provider cannot run the hub's workflow.", retryable: true },
  };
}

/** Returns what is wrong with a parameter; null if no error is at the place of one. */
function findReason({ bind }: Workflow, nodeErrors: z.output<typeof NodeErrors>): string | null {
  for (const [name, [node, place]] of Object.entries(bind)) {
    const errors = Object.hasOwn(nodeErrors, node) ? nodeErrors[node]!.errors : [];
    const found = errors.find(({ extra_info }) => extra_info?.input_name === place);
    if (found) return `${name}: ${found.message}`;
  }
  return null;
}
