"use client";

import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";

/** Renders a table. On narrow screens it scrolls inside its own region, which the keyboard can reach. */
export function Table({ label, ...props }: ComponentProps<"table"> & { label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = box;
    const observer = new ResizeObserver(() => setScrolls(current!.scrollWidth > current!.clientWidth));
    observer.observe(current!);
    observer.observe(current!.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className="overflow-x-auto"
      {...(scrolls && { tabIndex: 0, role: "region", "aria-label": `${label}, scrolls sideways` })}
    >
      {/* Inherited, so that a cell may wrap its text. */}
      <table aria-label={label} className="w-full border-collapse text-left text-sm whitespace-nowrap" {...props} />
    </div>
  );
}

export const Th = ({ className = "", ...props }: ComponentProps<"th">) => (
  <th
    scope="col"
    {...props}
    className={`border-b border-line px-5 py-2.5 text-xs font-medium whitespace-nowrap text-soft ${className}`}
  />
);

export const Td = ({ className = "", ...props }: ComponentProps<"td">) => (
  <td {...props} className={`border-b border-line px-5 py-3 align-middle in-[tr:last-child]:border-0 ${className}`} />
);

/** Renders the heading of the column whose cells have buttons, which only screen readers need. */
export const ActionsTh = () => (
  <Th>
    <span className="sr-only">Actions</span>
  </Th>
);

interface ActionTableProps {
  label: string;
  columns: { title: string; className?: string }[];
  /** The rows, which end with a cell of actions. */
  children: ReactNode;
}

/** Renders a table whose rows end with actions. */
export const ActionTable = ({ label, columns, children }: ActionTableProps) => (
  <Table label={label}>
    <thead>
      <tr>
        {columns.map(({ title, className }) => (
          <Th key={title} className={className}>
            {title}
          </Th>
        ))}
        <ActionsTh />
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </Table>
);
