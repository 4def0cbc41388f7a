"use client";

import { resolveFormats } from "../../ui/format-settings";
import { useFormatChoice } from "../../ui/formats-context";
import { getFormats } from "../../ui/formats";
import { SelectField } from "../../ui/form";

interface Option {
  value: string;
  label: string;
}

interface Props {
  /** Named on the server: browsers and Node.js know different names. */
  locales: Option[];
  timeZones: string[];
  /** When the page was rendered, for the example. */
  now: string;
}

/** Chooses in which formats and time zone this browser shows amounts and times. */
export function FormatChoice({ locales, timeZones, now }: Props) {
  const { chosen, browser, choose } = useFormatChoice();
  const { euros, dateTime } = getFormats(resolveFormats(chosen, browser));
  const usual = resolveFormats({ locale: null, timeZone: null }, browser);
  return (
    <div className="grid max-w-sm gap-4">
      <SelectField
        label="Number and date formats"
        value={chosen.locale ?? ""}
        onChange={(event) => choose({ ...chosen, locale: event.target.value || null })}
      >
        <option value="">Browser default ({usual.locale})</option>
        {locales.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Time zone"
        value={chosen.timeZone ?? ""}
        onChange={(event) => choose({ ...chosen, timeZone: event.target.value || null })}
      >
        <option value="">Browser default ({usual.timeZone})</option>
        {timeZones.map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <p role="status" className="text-sm text-soft tabular-nums">
        Example: {euros(1234.5, 2, 2)} · {dateTime(now)}
      </p>
      <p className="text-xs leading-5 text-soft">
        Stored in this browser. Charts and date filters use UTC days. API responses and exports are not affected.
      </p>
    </div>
  );
}
