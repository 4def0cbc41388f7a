/** The periods of spend charts, in days. */
export const periods = [7, 30, 90] as const;

export const readDays = (text: string | null | undefined): (typeof periods)[number] =>
  periods.find((days) => String(days) === text) ?? 30;
