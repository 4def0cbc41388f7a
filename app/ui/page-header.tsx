import type { ReactNode } from "react";

/** The top of a page: what it is, what it is for, and what can be done here. */
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
    <div>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {children && <p className="mt-1 max-w-2xl text-sm leading-6 text-soft">{children}</p>}
    </div>
    {action}
  </div>
);
