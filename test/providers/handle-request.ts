import type { ServerResponse } from "node:http";
import type { CancelFault, Double, DoubleMaker, DoubleRequest, DoubleResponse, SubmitFault } from "./double";
import { isFileFault, type OutputFault, replaceInline, respondToFile } from "./output-faults";
import { sendFaulty, sendRejection, sendResponse } from "./send-response";

/** The requests that a double got. */
export type Received = Pick<Double, "requests" | "submits" | "accepted" | "downloads" | "cancels">;

/** What goes wrong with the requests to come. */
export interface Faults {
  submits: SubmitFault[];
  output: OutputFault | null;
  cancel: CancelFault | null;
  beforeResponse: (() => Promise<void>) | null;
}

interface Exchange {
  request: DoubleRequest;
  outgoing: ServerResponse;
  received: Received;
  faults: Faults;
}

/** Responds to a request, in whatever way the faults want it. */
export async function handleRequest(maker: DoubleMaker, exchange: Exchange): Promise<void> {
  const { request, outgoing, received } = exchange;
  received.requests.push(request);
  if (maker.isSubmit(request)) return handleSubmit(maker, exchange);
  if (isCancel(request)) return handleCancel(maker, exchange);
  sendResponse(outgoing, findFaultyFile(maker, exchange) ?? (await maker.respond(request)));
}

async function handleSubmit({ respond, describeError }: DoubleMaker, exchange: Exchange): Promise<void> {
  const { request, outgoing, received, faults } = exchange;
  received.submits.push(request);
  const fault = faults.submits.shift();
  const [status, when] = splitFault(fault);
  if (fault === "reset before") return void outgoing.destroy();
  if (status && when !== "after") return sendRejection(outgoing, { status, body: describeError(status) }, fault);
  const response = await respond(request);
  if (response.status < 400) {
    received.accepted.push(request);
    const { beforeResponse } = faults;
    faults.beforeResponse = null;
    await beforeResponse?.();
  }
  if (status) return sendResponse(outgoing, { status, body: describeError(status) });
  if (fault === "reset after") return void outgoing.destroy();
  if (fault === "no response") return;
  const { output } = faults;
  const isInline = output !== null && !isFileFault(output);
  sendFaulty(outgoing, isInline ? replaceInline(response, output) : response, fault);
}

const isCancel = ({ method, url }: DoubleRequest) =>
  method !== "GET" && /\/(cancel|interrupt|queue)$/.test(url.pathname);

async function handleCancel({ respond, describeError }: DoubleMaker, exchange: Exchange): Promise<void> {
  const { request, outgoing, received, faults } = exchange;
  received.cancels.push(request);
  const fault = faults.cancel;
  if (fault === "reset") return void outgoing.destroy();
  if (fault === "no response") return;
  if (fault === "garbage") return sendResponse(outgoing, { status: 200, body: Buffer.from("<html>nginx</html>") });
  const response = fault === null || fault === "502 after" ? await respond(request) : undefined;
  const status = Number.parseInt(fault ?? "0");
  sendResponse(outgoing, status > 0 ? { status, body: describeError(status) } : response!);
}

/** Returns the response to a download that has a fault. */
function findFaultyFile(
  { isOutput }: DoubleMaker,
  { request, received, faults }: Exchange,
): DoubleResponse | undefined {
  if (!isOutput?.(request)) return undefined;
  received.downloads.push(request);
  const { output } = faults;
  if (output === null || !isFileFault(output)) return undefined;
  if (output.endsWith("once")) faults.output = null;
  return respondToFile(output);
}

function splitFault(fault: SubmitFault | undefined): [status: number, when: string | undefined] {
  const [, status, when] = /^(\d{3})(?: (.*))?$/.exec(fault ?? "") ?? [];
  return [Number(status ?? 0), when];
}
