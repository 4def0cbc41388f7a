import type { ReactNode } from "react";

interface Props {
  title?: string;
  /** Shown beside the title. */
  action?: ReactNode;
  /** Removes the padding, for lists that reach from edge to edge. */
  flush?: boolean;
  children: ReactNode;
}

/** Renders a framed part of a page. */
export const Card = ({ title, action, flush, children }: Props) => (
  <section className="min-w-0 rounded-xl border border-line bg-raised" aria-label={title}>
    {title && (
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-5 py-2">
        <h2 className="text-sm font-semibold">{title}</h2>
        {action}
      </div>
    )}
    <div className={flush ? "" : "p-5"}>{children}</div>
  </section>
);
