import type { ReactNode } from "react";

/** Renders a page's title, description and main action. */
export const PageHeader = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) => (
  <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      {children && <p className="mt-1 max-w-2xl text-sm leading-6 text-soft">{children}</p>}
    </div>
    {action}
  </div>
);
