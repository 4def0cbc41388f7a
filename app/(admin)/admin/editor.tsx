"use client";

import { useRef } from "react";
import { TextArea } from "../../ui/controls";

interface Props {
  label: string;
  value: string;
  readOnly: boolean;
  issues: { line: number }[];
  onChange: (value: string) => void;
}

const LINE_REM = 1.25;
const MAX_VISIBLE_LINES = 28;

/**
 * Renders a text editor with line numbers that marks lines with issues. Tab moves the focus out, as in any other field, so
 * that keyboard users are not trapped.
 */
export function Editor({ label, value, readOnly, issues, onChange }: Props) {
  const gutter = useRef<HTMLPreElement>(null);
  const marked = new Set(issues.map(({ line }) => line));
  const count = value.split("\n").length;
  const height = `${Math.min(Math.max(count, 8), MAX_VISIBLE_LINES) * LINE_REM + 1.5}rem`;
  return (
    <div className="flex font-mono text-xs leading-5" style={{ height }}>
      <pre
        ref={gutter}
        aria-hidden
        className="shrink-0 overflow-hidden bg-sunken py-3 pr-2 pl-3 text-right text-soft select-none"
      >
        {Array.from({ length: count }, (_, index) => (
          <span
            key={index}
            className={`block ${marked.has(index + 1) ? "bg-danger-wash font-semibold text-danger" : ""}`}
          >
            {index + 1}
          </span>
        ))}
      </pre>
      <TextArea
        aria-label={label}
        value={value}
        readOnly={readOnly}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        onScroll={({ currentTarget }) => {
          gutter.current!.scrollTop = currentTarget.scrollTop;
        }}
        className="min-w-0 flex-1 resize-none overflow-auto bg-raised px-3 py-3 whitespace-pre text-ink -outline-offset-2 max-sm:text-base max-sm:leading-5"
      />
    </div>
  );
}
