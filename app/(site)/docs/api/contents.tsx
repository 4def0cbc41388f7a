"use client";

import { List } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { Link } from "../../../ui/link";
import { groupByTag } from "../filter-operations";
import type { ListedOperation } from "../listed-operation";
import { OperationFilter } from "../operation-filter";

const linkClass =
  "flex min-h-9 items-center rounded-md px-2 text-sm pointer-coarse:min-h-11 hover:bg-sunken hover:text-ink";

/** Lists the tags with the operations of the current one, or with those that match the filter. Collapsed on phones. */
export function Contents({ operations }: { operations: ListedOperation[] }) {
  const here = usePathname();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <nav aria-label="Contents" className="toc">
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="w-full lg:hidden">
        <List size={16} aria-hidden />
        Contents
      </Button>
      <div className={`${isOpen ? "mt-3" : "max-lg:hidden"} grid gap-3`}>
        <OperationFilter operations={operations}>
          {(found, words) => (
            <ul className="mt-2 grid gap-0.5">
              {groupByTag(words ? found : operations).map(({ tag, operations: ofTag }) => {
                const path = ofTag[0]!.href.split("#")[0]!;
                return (
                  <li key={tag}>
                    <Link
                      href={path}
                      onClick={close}
                      aria-current={path === here ? "page" : undefined}
                      className={`${linkClass} font-medium ${path === here ? "bg-wash text-accent" : ""}`}
                    >
                      {tag}
                    </Link>
                    {(words || path === here) && <OperationLinks operations={ofTag} onLeave={close} />}
                  </li>
                );
              })}
            </ul>
          )}
        </OperationFilter>
        <ul className="grid gap-0.5 border-t border-line pt-3">
          {others.map(([path, title]) => (
            <li key={path}>
              <Link href={path} onClick={close} aria-current={path === here ? "page" : undefined} className={linkClass}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}

const others = [
  ["/docs", "All operations"],
  ["/docs/api/schemas", "Schemas"],
] as const;

const OperationLinks = ({ operations, onLeave }: { operations: ListedOperation[]; onLeave: () => void }) => (
  <ul className="mb-2 ml-3 grid gap-0.5 border-l border-line pl-1">
    {operations.map(({ href, summary }) => (
      <li key={href}>
        <Link href={href} onClick={onLeave} className={`${linkClass} text-soft`}>
          {summary}
        </Link>
      </li>
    ))}
  </ul>
);
