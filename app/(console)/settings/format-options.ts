const tags = [
  ..."cs-CZ da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-US es-ES es-MX et-EE fi-FI fr-BE".split(" "),
  ..."fr-CA fr-CH fr-FR hu-HU it-IT ja-JP ko-KR lt-LT lv-LV nb-NO nl-BE nl-NL pl-PL pt-BR pt-PT ro-RO sk-SK".split(" "),
  ..."sl-SI sv-SE tr-TR uk-UA zh-CN zh-TW".split(" "),
];

/** Returns the languages and regions whose formats can be chosen, by name. A browser may report any other. */
export function listLocales(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" });
  const options = tags.map((value) => ({ value, label: names.of(value) ?? value }));
  return options.sort((one, other) => one.label.localeCompare(other.label, "en"));
}

/** Returns the time zones that can be chosen. */
export const listTimeZones = (): string[] => [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC"),
];
