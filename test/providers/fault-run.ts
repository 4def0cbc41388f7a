import { type Callback, type CallbackFault, deliver, forge } from "./callbacks";
import type { SubmitFault } from "./double";
import type { Crash } from "./dying-process";
import { type EndedRun, readEnd } from "./ended-run";
import type { ProviderHub } from "./generation-run";
import { input, type Maker, type MakerDouble } from "./makers";
import type { OutputFault } from "./output-faults";

/** Where the hub's process dies. */
export const crashPoints = [
  "nowhere",
  "before the submit",
  "after the submit",
  "in the second step",
  "in the third step",
  "during the download",
  "before the end",
] as const;
export type CrashPoint = (typeof crashPoints)[number];

/** What goes wrong in one run of a generation. */
export interface Plan {
  submit: SubmitFault | "no fault";
  output: OutputFault | "no fault";
  callback: CallbackFault | "sent";
  crash: CrashPoint;
}

/** What became of a run, at the hub and at the maker. */
export interface FaultyRun {
  end: EndedRun;
  submits: number;
  /** The submits that are paid for. */
  accepted: number;
  /** For each callback that was sent: whether the hub accepted it as the maker's. */
  callbacks: boolean[];
  /** How often the hub woke the run. */
  wakes: number;
}

export type OpenedMaker = Maker & { double: MakerDouble };

/** The model for a submit without a response has one second, of which little is left. */
const HASTE_MS = 800;

/** Runs a generation with the planned faults. */
export async function runWithFaults(hub: ProviderHub, maker: OpenedMaker, plan: Plan): Promise<FaultyRun> {
  const { name, double } = maker;
  double.clearFaults();
  const other = plan.callback === "with another job's body" ? await runOther(hub, maker) : null;
  const countAccepted = () => double.accepted.length - (double.countUnpaid?.() ?? 0);
  const [submits, accepted] = [double.submits.length, countAccepted()];
  if (plan.submit !== "no fault") double.failNextSubmits(plan.submit);
  if (plan.output !== "no fault") double.failOutputs(plan.output);
  const caller = createCaller(hub, maker, plan.callback, other);
  const options = { crash: toCrash(plan.crash, double), afterStep: caller.afterStep };
  const end =
    plan.submit === "no response"
      ? await hub.run(`${name}-hasty`, input, { ...options, lateMs: HASTE_MS })
      : await hub.run(name, input, options);
  await caller.afterEnd();
  const isWake = (event: { name: string; data: { id?: string } }) =>
    event.name === "generation/reported" && event.data.id === end.id;
  return {
    end: await readEnd(hub.hub, end.id),
    submits: double.submits.length - submits,
    accepted: countAccepted() - accepted,
    callbacks: caller.callbacks,
    wakes: hub.hub.published.filter(isWake).length,
  };
}

function toCrash(point: CrashPoint, double: MakerDouble): Crash | undefined {
  const [accepted, downloads] = [double.accepted.length, double.downloads.length];
  const crashes: Record<CrashPoint, Crash | undefined> = {
    nowhere: undefined,
    "before the submit": { step: 1 },
    "after the submit": { step: 1, isDead: () => double.accepted.length > accepted },
    "in the second step": { step: 2 },
    "in the third step": { step: 3 },
    "during the download": { step: 1, isDead: () => double.downloads.length > downloads },
    "before the end": { step: "end" },
  };
  return crashes[point];
}

/** Runs another generation and returns its job's callback. */
async function runOther(hub: ProviderHub, { name, double, callsBack }: OpenedMaker): Promise<Callback | null> {
  if (!callsBack) return null;
  let callback: Callback | null = null;
  await hub.run(name, input, { afterStep: async () => void (callback ??= double.endLastJob!()) });
  return callback;
}

/** Delivers the callback of the next job to the hub as a fault demands. */
function createCaller({ hub }: ProviderHub, maker: OpenedMaker, fault: Plan["callback"], other: Callback | null) {
  const { double, callsBack } = maker;
  const before = double.accepted.length;
  const callbacks: boolean[] = [];
  const send = async (callback: Callback) => void callbacks.push(await deliver(hub, callback));
  let own: Callback | undefined;
  const canCall = () => callsBack && !own && double.accepted.length > before;
  if (callsBack && fault === "early") double.beforeNextResponse(() => send((own = double.endLastJob!())));
  return {
    callbacks,
    afterStep: async () => {
      if (!canCall() || fault === "lost" || fault === "late") return;
      own = double.endLastJob!();
      if (fault !== "sent" && fault !== "doubled") return send(forge(fault, own, other!));
      await send(own);
      if (fault === "doubled") await send(own);
    },
    afterEnd: async () => {
      if (canCall() && fault === "late") await send(double.endLastJob!());
    },
  };
}
