"use client";

import type { ComponentProps } from "react";
import { usePreHydrationValue } from "./use-pre-hydration-value";

/** Renders an `<input>` that keeps what was entered before hydration. */
export const Input = (props: ComponentProps<"input">) => <input {...props} id={usePreHydrationValue(props)} />;

/** Renders a `<textarea>` that keeps what was entered before hydration. */
export const TextArea = (props: ComponentProps<"textarea">) => <textarea {...props} id={usePreHydrationValue(props)} />;

/** Renders a `<select>` that keeps what was chosen before hydration. */
export const Select = (props: ComponentProps<"select">) => <select {...props} id={usePreHydrationValue(props)} />;
