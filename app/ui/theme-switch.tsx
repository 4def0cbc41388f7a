"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { chooseTheme, useTheme } from "./chosen-theme";
import { useHydrated } from "./use-hydrated";
import { type Theme, themes } from "./theme";

const icons = { system: Monitor, light: Sun, dark: Moon };
const labels = { system: "System theme", light: "Light", dark: "Dark" };

/** Chooses the theme, which is kept in a cookie so that the server can render it. */
export function ThemeSwitch({ theme }: { theme: Theme }) {
  const isHydrated = useHydrated();
  const chosen = useTheme(theme);
  return (
    <RadioGroup.Root
      disabled={!isHydrated}
      value={chosen}
      onValueChange={(value) => chooseTheme(themes.find((one) => one === value)!)}
      aria-label="Theme"
      className="flex gap-1"
      orientation="horizontal"
    >
      {themes.map((one) => {
        const Icon = icons[one];
        return (
          <RadioGroup.Item
            key={one}
            value={one}
            aria-label={labels[one]}
            title={labels[one]}
            className="grid min-h-8 min-w-8 cursor-pointer place-items-center rounded-md text-soft pointer-coarse:min-h-11 pointer-coarse:min-w-11 hover:bg-sunken hover:text-ink data-[state=checked]:bg-sunken data-[state=checked]:text-ink"
          >
            <Icon size={16} aria-hidden />
          </RadioGroup.Item>
        );
      })}
    </RadioGroup.Root>
  );
}
