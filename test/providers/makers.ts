import { openBflDouble } from "./bfl/double";
import type { Callback } from "./callbacks";
import { openCogDouble } from "./cog/double";
import { openComfyuiDouble } from "./comfyui/double";
import { workflow } from "./comfyui/job";
import type { Double } from "./double";
import { openFalDouble } from "./fal/double";
import { openGeminiDouble } from "./gemini/double";
import { openOpenaiDouble } from "./openai/double";
import { openReplicateDouble } from "./replicate/double";

export interface MakerDouble extends Double {
  /** Ends the job of the last accepted submit, and returns the callback that says so. */
  endLastJob?: () => Callback;
  /** Returns how many jobs it accepted and ended before they began, which costs nothing. */
  countUnpaid?: () => number;
}

/** A kind of provider, or a variety of one. */
export interface Maker {
  /** The id of its provider in the catalogue, and of a model there. */
  name: string;
  kind: string;
  open: (now: () => Date) => Promise<MakerDouble>;
  /** The path of its base URL. */
  path?: string;
  /** The settings of its route besides the provider. */
  route: string;
  /** Whether its outputs have URLs, or are in the response to the submit. */
  outputs: "files" | "inline";
  callsBack?: boolean;
}

/** The input of all models. */
export const input = { prompt: "a lighthouse" };

const upstream = (model: string) => `upstream_model: "${model}"`;

export const makers: Maker[] = [
  { name: "cog", kind: "cog", open: openCogDouble, route: upstream("model"), outputs: "inline" },
  {
    name: "openai",
    kind: "openai",
    path: "/v1",
    outputs: "inline",
    open: () => openOpenaiDouble(),
    route: upstream("gpt-image-2.5-flare"),
  },
  {
    name: "localai",
    kind: "openai",
    path: "/v1",
    outputs: "files",
    open: () => openOpenaiDouble({ flavour: "localai" }),
    route: upstream("flux"),
  },
  {
    name: "gemini",
    kind: "gemini",
    path: "/v1beta",
    outputs: "inline",
    open: () => openGeminiDouble(),
    route: upstream("gemini-nano-banana-2.1"),
  },
  {
    name: "replicate",
    kind: "replicate",
    path: "/v1",
    outputs: "files",
    callsBack: true,
    open: async (now) => {
      const double = await openReplicateDouble({ now });
      // The test itself delivers callbacks to the hub.
      double.settings.callbacks = "lost";
      const countUnpaid = () => double.predictions.filter(({ status }) => status === "aborted").length;
      return { ...double, countUnpaid, endLastJob: () => double.endLast() };
    },
    route: upstream("black-forest-labs/flux-schnell"),
  },
  {
    name: "bfl",
    kind: "bfl",
    outputs: "files",
    callsBack: true,
    open: async () => {
      const double = await openBflDouble();
      return { ...double, endLastJob: () => double.endJob(double.listJobs().at(-1)!) };
    },
    route: upstream("flux-2-pro"),
  },
  {
    name: "fal",
    kind: "fal",
    outputs: "files",
    callsBack: true,
    open: async (now) => {
      const double = await openFalDouble();
      return { ...double, endLastJob: () => double.endJob([...double.jobs.values()].at(-1)!, now()) };
    },
    route: upstream("fal-ai/flux/schnell"),
  },
  {
    name: "comfyui",
    kind: "comfyui",
    outputs: "files",
    open: openComfyuiDouble,
    route: `workflow: ${JSON.stringify(workflow.nodes)}, bind: { prompt: 6.text }, outputs: ["9"]`,
  },
];

/** Opens a double of each maker. */
export const openMakers = (now = () => new Date()) =>
  Promise.all(makers.map(async (maker) => ({ ...maker, double: await maker.open(now) })));

const parameters = `{ type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 4000 } } }`;

/** Returns a catalogue with two models of each maker, of which the one with the name `<name>-hasty` has one second. */
export const describeCatalogue = (opened: (Maker & { double: Double })[]): string => `
providers:
${opened.map(({ name, kind, path = "", double }) => `  - { id: ${name}, kind: ${kind}, base_url: "${double.url}${path}", api_key: test-key-0123456789 }`).join("\n")}
models:
${opened.flatMap((maker) => [describeModel(maker, maker.name, 300), describeModel(maker, `${maker.name}-hasty`, 1)]).join("\n")}
`;

const describeModel = ({ name, route }: Maker, id: string, seconds: number): string => `
  - id: ${id}
    output_modalities: [image]
    timeout_seconds: ${seconds}
    parameters_schema: ${parameters}
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: ${name}, ${route} }]`;
