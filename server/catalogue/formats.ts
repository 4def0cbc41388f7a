const HTTP_URL = /^https?:\/\/[^\s]+$/i;
const SHA256 = /^sha256:[0-9a-f]{64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const isInstant = (text: string) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10));
// Date.parse accepts 31 February and returns 3 March.
const isDay = (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** Checks of the supported `format` values; each takes linear time. */
export const formats = {
  /** Names content: by URL, or by the SHA-256 of a file of the account. */
  uri: (text: string) => SHA256.test(text) || (HTTP_URL.test(text) && URL.canParse(text)),
  date: (text: string) => DATE.test(text) && isInstant(text),
  "date-time": (text: string) => DATE_TIME.test(text) && isInstant(text),
  uuid: (text: string) => UUID.test(text),
};
