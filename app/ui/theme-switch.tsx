"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { chooseTheme, useTheme } from "./chosen-theme";
import { RadioOptions } from "./radio-options";
import type { Theme } from "./theme";

const options = [
  { value: "system", label: "System theme", content: <Monitor size={16} /> },
  { value: "light", label: "Light", content: <Sun size={16} /> },
  { value: "dark", label: "Dark", content: <Moon size={16} /> },
] as const;

/** Chooses the theme, which is kept in a cookie so that the server can render it. */
export const ThemeSwitch = ({ theme }: { theme: Theme }) => (
  <RadioOptions
    label="Theme"
    options={options}
    value={useTheme(theme)}
    onChange={chooseTheme}
    className="flex gap-1"
    optionClass="min-h-8 min-w-8 rounded-md hover:bg-sunken has-checked:bg-sunken pointer-coarse:min-h-11 pointer-coarse:min-w-11"
  />
);
