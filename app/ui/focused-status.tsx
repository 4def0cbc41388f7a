"use client";

import type { ReactNode } from "react";
import { useFocusOnMount } from "./use-focus-on-mount";

/** Renders the result of a form in its place, with the focus, so that screen readers announce it. */
export const FocusedStatus = ({ children }: { children: ReactNode }) => (
  <div ref={useFocusOnMount<HTMLDivElement>()} tabIndex={-1} className="grid gap-4 text-sm leading-6 text-soft">
    {children}
  </div>
);
