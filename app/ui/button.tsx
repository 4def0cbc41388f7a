"use client";

import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { useHydrated } from "./use-hydrated";

const kinds = {
  primary: "border-accent bg-accent text-on-accent hover:opacity-90",
  quiet: "border-line bg-raised text-ink hover:bg-sunken",
  ghost: "border-transparent text-soft hover:bg-sunken hover:text-ink",
  danger: "border-danger bg-danger text-on-danger hover:opacity-90",
};

interface Props extends ComponentProps<"button"> {
  kind?: keyof typeof kinds;
  /** Styles the child element instead, for links. */
  asChild?: boolean;
  /** Shows progress and disables the button. */
  busy?: boolean;
}

export function Button({ kind = "quiet", asChild, busy, disabled, className = "", ...props }: Props) {
  const isHydrated = useHydrated();
  const isOff = busy || disabled;
  const baseClass =
    "inline-flex min-h-9 cursor-pointer items-center justify-center gap-2 whitespace-nowrap rounded-lg border px-3.5 text-sm font-medium " +
    "transition-colors aria-busy:cursor-progress pointer-coarse:min-h-11";
  const all = `${baseClass} ${kinds[kind]} ${isOff ? "cursor-not-allowed opacity-60" : ""} ${className}`;
  if (asChild) return <Slot.Root className={all} {...props} />;
  return <button type="button" {...props} aria-busy={busy} disabled={isOff || !isHydrated} className={all} />;
}
