/** What a snippet needs to know about its reader. */
export interface Values {
  /** The base URL of the hub. */
  base: string;
  /** An API key, or its beginning to be completed. */
  key: string;
}

export interface Snippet {
  language: "sh" | "json" | "toml" | "yaml" | "ts" | "python";
  /** The file to put it in, or what it is. */
  title: string;
  code: string;
}

export interface Setting {
  name: string;
  value: string;
}

/** A link that opens a program and installs the hub there. It never contains a key, because URLs end up in browser histories. */
interface InstallLink {
  label: string;
  href: string;
}

export interface Step {
  /** Text in backticks is code. */
  text: string;
  snippet?: Snippet;
  settings?: Setting[];
  link?: InstallLink;
}

/** How to use the hub from one program. */
export interface Guide {
  /** Also the name of its page in docs/quickstarts. */
  id: string;
  name: string;
  /** What the program does with the hub. */
  summary: string;
  write: (values: Values) => Step[];
}

export const PLACEHOLDER_KEY = "service_sk_…";

/** Returns a value as the text of a configuration file. */
export const formatJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Returns whether a text can be a key; anything else could break out of a snippet. */
export const isKey = (text: string): boolean => /^service_sk_[\w-]{1,200}$/.test(text);
