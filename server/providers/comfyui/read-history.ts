import { z } from "zod";
import type { Workflow } from "../../catalogue/model";
import { callApi } from "../http/call-api";
import { assertReadable, failAfterStart } from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import type { FailedJob, Job, JobState } from "../job";
import type { ProviderIo } from "../provider";
import { comfyuiApi, LARGE_RESPONSE } from "./api";

const Entry = z.object({
  outputs: z.record(z.string(), z.unknown()),
  status: z.object({ status_str: z.string(), messages: z.array(z.tuple([z.string(), z.unknown()])) }),
});
type Entry = z.output<typeof Entry>;

/** Returns the end of a prompt; null while the history does not have it. Throws ApiError when it cannot be read. */
export async function readHistory(job: Job, promptId: string, io: ProviderIo): Promise<JobState | null> {
  const { provider } = job.route;
  const url = `/history/${encodeURIComponent(promptId)}`;
  const response = await callApi(comfyuiApi, provider, io, { url, ...LARGE_RESPONSE });
  assertReadable(response);
  const entries = response.body as Record<string, unknown>;
  if (!Object.hasOwn(entries, promptId)) return null;
  const { data } = Entry.safeParse(entries[promptId]);
  if (!data) return failAfterStart("invalid_output", "The provider's result could not be read.");
  return data.status.status_str === "success" ? readSuccess(job, data, io) : describeFailure(data);
}

function readSuccess({ route: { provider, workflow } }: Job, entry: Entry, io: ProviderIo): JobState {
  const files = findFiles(entry.outputs, workflow!);
  if (!files) return failAfterStart("invalid_output", "The provider made only a part of the outputs.");
  return {
    state: "succeeded",
    outputs: files.map(({ filename, subfolder, type }) => {
      const query = new URLSearchParams({ filename, subfolder, type });
      return downloadOutput(comfyuiApi, provider, io, `${provider.baseUrl}/view?${query}`);
    }),
    usage: { computeSeconds: measureSeconds(entry.status.messages) },
  };
}

/** A file that a node has saved. Those of type `temp` are previews. */
const File = z.object({ filename: z.string().min(1), subfolder: z.string(), type: z.literal("output") });

/**
 * Returns the files of the workflow's output nodes, in their order, or of all nodes. Nodes list them as `images`, `gifs`,
 * `audio` and other names. Null if one of the workflow's output nodes has none.
 */
function findFiles(outputs: Entry["outputs"], workflow: Workflow): z.output<typeof File>[] | null {
  const byNode = (workflow.outputs ?? Object.keys(outputs)).map((node) => {
    const lists = Object.hasOwn(outputs, node) ? Object.values(outputs[node] ?? {}) : [];
    return lists.flat().flatMap((item: unknown) => File.safeParse(item).data ?? []);
  });
  return workflow.outputs && byNode.some((files) => files.length === 0) ? null : byNode.flat();
}

const Timed = z.object({ timestamp: z.number() });

/** Returns the seconds between the start and the success; undefined if the server does not report it. */
function measureSeconds(messages: Entry["status"]["messages"]): number | undefined {
  const [start, end] = ["execution_start", "execution_success"].map((name) => {
    const message = messages.find(([event]) => event === name);
    return Timed.safeParse(message?.[1]).data?.timestamp;
  });
  return start !== undefined && end !== undefined && end >= start ? (end - start) / 1000 : undefined;
}

const ExecutionError = z.object({ node_type: z.string(), exception_type: z.string() });
const NAME = /^[\w .:+()-]{1,80}$/;

/** Returns why a prompt failed. Messages of exceptions, with their tracebacks and paths, are not passed on. */
function describeFailure({ status: { messages } }: Entry): FailedJob {
  const [event, details] = messages.at(-1) ?? [];
  if (event === "execution_interrupted")
    return failAfterStart("provider_error", "The job was interrupted at the provider.", { stopped: "free" });
  const { data } = ExecutionError.safeParse(details);
  const hasPlace = data && NAME.test(data.node_type) && NAME.test(data.exception_type);
  const place = hasPlace ? ` at ${data.node_type} (${data.exception_type})` : "";
  return failAfterStart("provider_error", `The workflow failed${place}.`);
}
