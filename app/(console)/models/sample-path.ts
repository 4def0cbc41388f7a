/** Returns the path of a sample picture. */
export const samplePath = (id: string): string => `/models/samples/${id}`;
