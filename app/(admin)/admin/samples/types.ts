import type { Outputs } from "../../../trpc/outputs";

/** A model with its samples, and what it costs to make one. */
export type SampledModel = Outputs["admin"]["samples"]["list"][number];
