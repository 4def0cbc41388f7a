import type { ReactNode } from "react";

interface Props {
  title: string;
  /** Below the title of a card, h3. */
  heading?: "h1" | "h2" | "h3";
  icon?: ReactNode;
  children?: ReactNode;
  /** An example of what will appear here. */
  sample?: ReactNode;
  /** A button or link to the next step. */
  action?: ReactNode;
}

/** Renders an empty, failed or missing state: says why, and what to do next. */
export const Notice = ({ title, heading: Heading = "h2", icon, children, sample, action }: Props) => (
  <div className="mx-auto grid max-w-md grid-cols-[minmax(0,1fr)] justify-items-center gap-2 px-6 py-14 text-center">
    {icon && (
      <span aria-hidden className="mb-2 rounded-full bg-wash p-3 text-accent">
        {icon}
      </span>
    )}
    <Heading className="text-base font-semibold">{title}</Heading>
    {children && <p className="text-sm leading-6 text-soft">{children}</p>}
    {sample}
    {action && <div className="mt-3">{action}</div>}
  </div>
);
