import type { ReactNode } from "react";

interface Props {
  title?: string;
  heading?: "h2" | "h3";
  /** Shown beside the title. */
  action?: ReactNode;
  /** Removes the padding, for lists that reach from edge to edge. */
  flush?: boolean;
  children: ReactNode;
}

/** Renders a framed part of a page. */
export const Card = ({ title, heading: Heading = "h2", action, flush, children }: Props) => (
  <section className="min-w-0 rounded-xl border border-line bg-raised" aria-label={title}>
    {title && (
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-5 py-2">
        <Heading className="min-w-0 text-sm font-semibold break-words">{title}</Heading>
        {action}
      </div>
    )}
    <div className={flush ? "" : "p-5"}>{children}</div>
  </section>
);
