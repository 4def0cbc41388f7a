"use client";

import type { ReactNode } from "react";
import { useFocusOnMount } from "./use-focus-on-mount";

/** Renders what became of a form in its place, and gives it the focus, so that screen readers read it. */
export const FocusedStatus = ({ children }: { children: ReactNode }) => (
  <div ref={useFocusOnMount<HTMLDivElement>()} tabIndex={-1} className="grid gap-4 text-sm leading-6 text-soft">
    {children}
  </div>
);
