import type { LucideIcon } from "lucide-react";

export interface PaletteItem {
  /** Unique in the palette. */
  id: string;
  label: string;
  /** Shown after the label, and searched as well. */
  hint?: string;
  /** Other words by which it is found. */
  keywords?: string;
  Icon: LucideIcon;
  /** The path to open, or what else to do. */
  action: string | (() => void);
}

export interface PaletteGroup {
  label: string;
  items: PaletteItem[];
}

/** Returns the first `max` items whose label, hint or keywords have every word of a text. */
export function matchItems(items: PaletteItem[], text: string, max: number): PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ label, hint = "", keywords = "" }: PaletteItem) => {
    const searched = `${label} ${hint} ${keywords}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  return items.filter(matches).slice(0, max);
}
