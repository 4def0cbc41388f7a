/** For how many days spend can be looked at. */
export const lengths = [7, 30, 90] as const;

export const readDays = (text: string | null | undefined): (typeof lengths)[number] =>
  lengths.find((length) => String(length) === text) ?? 30;
