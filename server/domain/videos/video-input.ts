import type { Model } from "../../catalogue/model";
import { invalidInput } from "../../errors";
import type { VideoRequest } from "../generations/row";
import { findFileParameter, givenMembers, toSizeParameters } from "../openai";

type Input = Record<string, unknown>;

interface VideoInput {
  input: Input;
  video: VideoRequest;
  /** OpenAI's names of the model's parameters, for errors. */
  names: Map<string, string>;
}

/**
 * Returns the model's input for OpenAI's parameters of a video: `seconds`, `size` and the URL of the picture from which it
 * starts become the model's own parameters; the others keep their names. Drops `user` (an end user's id) unless the model has
 * it. Throws 400 for those that the model has no parameter for.
 */
export function toVideoInput(model: Model, body: Input, reference: string | undefined): VideoInput {
  const { seconds, size, user, ...input } = givenMembers(body);
  const { properties } = model.parametersSchema;
  const names = new Map<string, string>();
  const add = (name: string, parameters: Input) => {
    for (const [parameter, value] of Object.entries(parameters)) {
      if (Object.hasOwn(input, parameter)) throw invalidInput(name, `must be omitted when ${parameter} is given`);
      input[parameter] = value;
      names.set(parameter, name);
    }
  };
  const length = findLengthParameter(model);
  if (seconds !== undefined) {
    if (length === undefined) throw invalidInput("seconds", "must be omitted: this model chooses the length");
    add("seconds", { [length]: toLength(properties[length]!, seconds) });
  }
  if (size !== undefined) add("size", toSizeParameters(model, size));
  if (reference !== undefined) add("input_reference", toReferenceParameter(model, reference));
  if (user !== undefined && Object.hasOwn(properties, "user")) input.user = user;
  const video = {
    seconds: toText(seconds ?? (length === undefined ? undefined : properties[length]!.default)),
    size: toText(size ?? (Object.hasOwn(properties, "size") ? properties.size!.default : undefined)),
  };
  return { input, video, names };
}

const toText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

const LENGTH_NAMES = ["seconds", "duration", "duration_seconds", "num_seconds", "length"];

/** Returns the parameter that sets the length in seconds; undefined if the model chooses it. */
function findLengthParameter({ pricing, parametersSchema: { properties } }: Model): string | undefined {
  const { unit = null, quantity = null } = pricing.by === "tier" ? pricing : {};
  if (unit === "second" && quantity?.from === "number") return quantity.parameter;
  return LENGTH_NAMES.find((name) => Object.hasOwn(properties, name));
}

const SECONDS = /^\d{1,5}(\.\d{1,3})?$/;

/** Returns a length as the parameter accepts it: a value of its enum (`8`, `"8"` or `"8s"`), a number, or a text. */
function toLength(property: Input, seconds: unknown): unknown {
  if (!["string", "number"].includes(typeof seconds) || !SECONDS.test(String(seconds)))
    throw invalidInput("seconds", 'must be a number of seconds such as "8"');
  const wanted = Number(seconds);
  if (Array.isArray(property.enum)) {
    const listed = (property.enum as unknown[]).find((value) => Number(String(value).replace(/s$/, "")) === wanted);
    if (listed === undefined) throw invalidInput("seconds", `must be one of ${property.enum.join(", ")}`);
    return listed;
  }
  return [property.type].flat().includes("string") ? String(seconds) : wanted;
}

const PICTURE_NAMES = [
  "input_reference",
  "first_image",
  "start_image",
  "first_frame",
  "image",
  "image_url",
  "input_image",
  "image_input",
  "images",
  "image_urls",
];

function toReferenceParameter(model: Model, url: string): Input {
  const parameter = findFileParameter(model, PICTURE_NAMES, "any");
  if (!parameter) throw invalidInput("input_reference", "must be omitted: this model starts from no picture");
  return { [parameter.name]: parameter.isList ? [url] : url };
}
