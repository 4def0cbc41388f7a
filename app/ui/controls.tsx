"use client";

import type { ComponentProps } from "react";
import { usePreHydrationValue } from "./use-pre-hydration-value";

/** An `<input>` that keeps what was entered before hydration. */
export const Input = (props: ComponentProps<"input">) => <input {...props} id={usePreHydrationValue(props)} />;

/** A `<textarea>` that keeps what was entered before hydration. */
export const TextArea = (props: ComponentProps<"textarea">) => <textarea {...props} id={usePreHydrationValue(props)} />;

/** A `<select>` that keeps what was chosen before hydration. */
export const Select = (props: ComponentProps<"select">) => <select {...props} id={usePreHydrationValue(props)} />;
