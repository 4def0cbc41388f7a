"use client";

import { Slot } from "radix-ui";
import type { ComponentProps, MouseEvent } from "react";
import type { Permission } from "@/server/context";
import { usePermission } from "./access-context";
import { useHydrated } from "./use-hydrated";

const kinds = {
  primary: "border-accent bg-accent text-on-accent hover:border-accent-hover hover:bg-accent-hover",
  quiet: "border-line bg-raised text-ink hover:bg-sunken",
  ghost: "border-transparent text-soft hover:bg-sunken hover:text-ink",
  danger: "border-danger bg-danger text-on-danger hover:border-danger-hover hover:bg-danger-hover",
};

export type ButtonKind = keyof typeof kinds;

interface Props extends ComponentProps<"button"> {
  kind?: ButtonKind;
  /** Styles the child element instead, for links. */
  asChild?: boolean;
  /** Shows progress and ignores clicks. */
  busy?: boolean;
  /** The permission that it requires; people without it don't see the button. */
  needs?: Permission;
}

/** Renders a button. While it is busy or disabled it keeps the focus, which a natively disabled button would lose. */
export function Button({ needs, ...props }: Props) {
  const isPermitted = usePermission(needs ?? "self");
  return needs && !isPermitted ? null : <PermittedButton {...props} />;
}

function PermittedButton({
  kind = "quiet",
  asChild,
  busy,
  disabled,
  onClick,
  className = "",
  ...props
}: Omit<Props, "needs">) {
  const isHydrated = useHydrated();
  const isOff = Boolean(busy || disabled);
  const baseClass =
    "inline-flex min-h-9 cursor-pointer items-center justify-center gap-2 whitespace-nowrap rounded-lg border px-3.5 text-sm font-medium " +
    "transition-colors aria-busy:cursor-progress pointer-coarse:min-h-11 pointer-coarse:min-w-11";
  const all = `${baseClass} ${kinds[kind]} ${isOff ? "cursor-not-allowed opacity-60" : ""} ${className}`;
  if (asChild) return <Slot.Root className={all} onClick={onClick} {...props} />;
  return (
    <button
      type="button"
      {...props}
      aria-busy={busy}
      aria-disabled={isOff || undefined}
      // Until hydration, the browser itself must not submit a form.
      disabled={!isHydrated}
      onClick={isOff ? ignoreClick : onClick}
      className={all}
    />
  );
}

/** Also keeps Enter in a field from submitting the form, which clicks its button. */
const ignoreClick = (event: MouseEvent) => event.preventDefault();
