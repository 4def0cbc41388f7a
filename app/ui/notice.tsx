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

interface SampleProps {
  icon: ReactNode;
  title: string;
  detail: string;
  /** Shown at the end, such as a status. */
  end?: ReactNode;
}

/**
 * Shows what an entry of an empty list will look like, marked as an example. Assistive technology skips it: the text
 * beside it says what appears in the list, and an example must not be taken for an entry.
 */
export const Sample = ({ icon, title, detail, end }: SampleProps) => (
  <div
    aria-hidden
    data-sample
    className="mt-4 w-full rounded-xl border border-dashed border-strong-line p-3 text-left select-none"
  >
    <p className="mb-2 text-xs font-medium text-soft">Example</p>
    <div className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-soft">
        {icon}
      </span>
      <div className="min-w-0 flex-1 leading-5">
        <p className="truncate text-sm font-medium">{title}</p>
        <p className="truncate text-xs text-soft">{detail}</p>
      </div>
      {end}
    </div>
  </div>
);
