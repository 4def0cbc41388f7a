/** An input of a class of nodes as `/object_info` describes it: a type or a list of values, and its options. */
export type InputInfo = [string | string[], { min?: number; max?: number; options?: string[] }?];

export interface NodeInfo {
  input: { required: Record<string, InputInfo>; optional?: Record<string, InputInfo> };
  output_node: boolean;
  /** The name under which the node lists its files. */
  lists?: string;
  /** The extension of its files. */
  extension?: string;
  type?: "output" | "temp";
}

const size: InputInfo = ["INT", { min: 1, max: 16_384 }];
const seed: InputInfo = ["INT", { min: 0, max: 2 ** 53 }];
const prefix: InputInfo = ["STRING", {}];
const saves = (lists: string, extension: string, type: "output" | "temp" = "output") => ({
  output_node: true,
  lists,
  extension,
  type,
});

/** The classes of nodes that the double has installed. */
export const nodeClasses: Record<string, NodeInfo> = {
  CheckpointLoaderSimple: { input: { required: { ckpt_name: [["flux.safetensors"], {}] } }, output_node: false },
  CLIPTextEncode: { input: { required: { text: ["STRING", {}], clip: ["CLIP"] } }, output_node: false },
  KSampler: {
    input: {
      required: {
        seed,
        width: size,
        height: size,
        positive: ["CONDITIONING"],
        sampler: ["COMBO", { options: ["euler", "heun"] }],
      },
    },
    output_node: false,
  },
  LoadImage: { input: { required: { image: [["example.png"], {}] } }, output_node: false },
  SaveImage: {
    input: { required: { images: ["IMAGE"], filename_prefix: prefix } },
    ...saves("images", "png"),
  },
  SaveAudio: { input: { required: { audio: ["AUDIO"], filename_prefix: prefix } }, ...saves("audio", "flac") },
  SaveVideo: { input: { required: { video: ["VIDEO"], filename_prefix: prefix } }, ...saves("images", "mp4") },
  VHS_VideoCombine: { input: { required: { images: ["IMAGE"], filename_prefix: prefix } }, ...saves("gifs", "mp4") },
  PreviewImage: { input: { required: { images: ["IMAGE"] } }, ...saves("images", "png", "temp") },
};
