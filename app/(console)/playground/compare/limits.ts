export const MIN_MODELS = 2;
export const MAX_MODELS = 4;
