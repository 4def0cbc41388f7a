"use client";

import { Search } from "lucide-react";
import { Input } from "../ui/controls";

interface Props {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Renders a search field. */
export const SearchBox = ({ label, placeholder, value, onChange }: Props) => (
  <label className="relative w-full max-w-xl">
    <span className="sr-only">{label}</span>
    <Search size={16} aria-hidden className="absolute top-1/2 left-3 -translate-y-1/2 text-soft" />
    <Input
      type="search"
      value={value}
      maxLength={200}
      placeholder={placeholder}
      onChange={({ target }) => onChange(target.value)}
      className="min-h-9 w-full rounded-lg border border-strong-line bg-raised pr-3 pl-9 text-base sm:text-sm pointer-coarse:min-h-11"
    />
  </label>
);
