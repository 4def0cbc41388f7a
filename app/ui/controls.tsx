"use client";

import type { ComponentProps } from "react";
import { usePreHydrationValue } from "./use-pre-hydration-value";

/** An `<input>` that keeps what is entered before the page's script is there. */
export const Input = (props: ComponentProps<"input">) => <input {...props} id={usePreHydrationValue(props)} />;

/** A `<textarea>` that does. */
export const TextArea = (props: ComponentProps<"textarea">) => <textarea {...props} id={usePreHydrationValue(props)} />;

/** A `<select>` that does. */
export const Select = (props: ComponentProps<"select">) => <select {...props} id={usePreHydrationValue(props)} />;
